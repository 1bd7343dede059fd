/** The field of a mail server at which a failure is shown. */
export type ServerField = 'host' | 'port' | 'security' | 'password'

export type Failure = {
  field: ServerField
  /** What happened. */
  text: string
  /** What it means, and what to do about it. */
  meaning?: string
}

type Known = { pattern: RegExp; field: ServerField; text?: string; meaning: string }

/** The commonest reasons of the server, the more special ones first. */
const KNOWN: Known[] = [
  {
    pattern: /has a (user and no password|password and no user)|needs the user and the password again/i,
    field: 'password',
    text: 'Enter the user and the password',
    meaning:
      'Both belong together. After a change of the server they have to be entered again: the stored password is not sent to another server.',
  },
  {
    pattern: /refused the (login|sign-in)|authenticat/i,
    field: 'password',
    text: 'The server refused this user and password',
    meaning:
      'Sign in on the website of the provider to check both. Often the whole address is the user. With two-step verification the provider wants an app password here, which you create in the security settings of the account. Some providers must be allowed to give access by IMAP and SMTP first.',
  },
  {
    pattern: /certificate has expired|certificate is not valid yet/i,
    field: 'host',
    meaning:
      'A certificate proves that this is the right server. This one is out of date, so Relata does not send the password. The administrator of the server has to renew it. Nothing here can replace that.',
  },
  {
    pattern: /certificate is not for/i,
    field: 'host',
    meaning:
      'A certificate proves that this is the right server, and it is made out to another name. Many hosting companies want their own server name here, not the name of your domain: look for it in their help.',
  },
  {
    pattern: /certificate/i,
    field: 'host',
    meaning:
      'A certificate proves that this is the right server. Nobody whom Relata trusts has signed this one, so the password is not sent. Ask the administrator of the server for a certificate of a known authority.',
  },
  {
    pattern: /does not connect to port/i,
    field: 'port',
    meaning:
      'Relata connects to the ports that mail servers have: 465 or 587 for outgoing mail, 993 or 143 for incoming mail. The help of your provider names the right one.',
  },
  {
    pattern: /does not speak TLS|instead of beginning TLS|TLS failed|ended TLS|closed the connection|STARTTLS/i,
    field: 'security',
    text: 'The server does not use this kind of security at this port',
    meaning:
      'Ports 465 and 993 are encrypted from the start: choose TLS. Ports 587 and 143 begin unencrypted and switch over: choose STARTTLS.',
  },
  {
    pattern: /nothing accepts connections|does not answer|no way through the network|could not connect|timed out/i,
    field: 'port',
    text: 'Nothing answers at this host and port',
    meaning:
      'The host or the port is wrong, the server is not running, or a firewall blocks the port. Compare both with the help of your provider. If they are right, ask your administrator whether this machine may open connections to the port: hosting companies often block 25 and sometimes 465.',
  },
  {
    pattern: /its name must resolve|resolve|lookup|name or service not known/i,
    field: 'host',
    text: 'No public mail server was found under this name',
    meaning:
      'There may be a typing mistake in the host. Most hosts look like smtp.example.com or imap.example.com, without https:// and without @.',
  },
]

/** What a reason of the server means, and the field that it is about. */
export function failureOf(reason: string): Failure {
  const known = KNOWN.find(({ pattern }) => pattern.test(reason))
  return known
    ? { field: known.field, text: known.text ?? reason, meaning: known.meaning }
    : { field: 'host', text: reason }
}
