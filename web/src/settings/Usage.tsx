import { Group, SegmentedControl, Text } from '@mantine/core'
import { useState } from 'react'
import { useGet } from '../api/query'
import { count, full, plural } from '../fields/format'
import { Loaded } from '../shell/Page'

const HEIGHT = 120

/** Requests per hour as bars, errors darker at the bottom. */
export function Usage() {
  const [hours, setHours] = useState<'24' | '168'>('24')
  const usage = useGet('/dashboard/usage', { hours })
  return (
    <Loaded of={usage}>
      {({ data: used }) => {
        const most = Math.max(1, ...used.points.map((one) => one.requests))
        const total = used.points.reduce((sum, one) => sum + one.requests, 0)
        const wide = 100 / Math.max(1, used.points.length)
        return (
          <>
            <Group justify="space-between" mb="sm">
              <Text className="num">
                {count(used.limit - used.remaining)} of {count(used.limit)} used in this hour, which ends{' '}
                {full(used.resets_at)}
              </Text>
              <SegmentedControl
                size="xs"
                aria-label="Period"
                data={[
                  { value: '24', label: 'Day' },
                  { value: '168', label: 'Week' },
                ]}
                value={hours}
                onChange={setHours}
              />
            </Group>
            <svg
              role="img"
              aria-label={`${plural(total, 'request')} in the last ${hours} hours${total > 0 ? `, at most ${most} in an hour` : ''}`}
              viewBox={`0 0 100 ${HEIGHT}`}
              preserveAspectRatio="none"
              width="100%"
              height={HEIGHT}
            >
              {used.points.map((one, index) => {
                const high = (HEIGHT * one.requests) / most
                const bad = (HEIGHT * one.errors) / most
                return (
                  <g key={one.at}>
                    <title>{`${full(one.at)}: ${plural(one.requests, 'request')}, ${plural(one.errors, 'error')}`}</title>
                    <rect
                      x={index * wide + wide * 0.1}
                      width={wide * 0.8}
                      y={HEIGHT - high}
                      height={high}
                      fill="var(--r-accent)"
                    />
                    <rect
                      x={index * wide + wide * 0.1}
                      width={wide * 0.8}
                      y={HEIGHT - bad}
                      height={bad}
                      fill="var(--r-danger)"
                    />
                  </g>
                )
              })}
              <line
                x1="0"
                x2="100"
                y1={HEIGHT}
                y2={HEIGHT}
                stroke="var(--r-line)"
                strokeWidth="1"
                vectorEffect="non-scaling-stroke"
              />
            </svg>
            <Text size="xs" c="dimmed">
              {total > 0 ? `${plural(total, 'request')}, at most ${count(most)} in an hour` : 'No requests yet'}
            </Text>
          </>
        )
      }}
    </Loaded>
  )
}
