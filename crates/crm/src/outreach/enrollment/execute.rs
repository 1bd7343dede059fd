//! Runs one due step: skips it, postpones it, creates its task, or puts its message into the outbox.

use super::context::{Busy, SequenceContext};
use super::decide::{self, Conditions, Pace, StepAction, StepFacts};
use super::links::{Links, Tracking};
use super::record::{self, Extra, change, end, postpone};
use super::rendered::{self, Draft, RenderResult, Rendered, RenderedMessages, Source, Unrendered};
use super::sender::{Sender, sender};
use super::state::Cause;
use super::step_runs::{self, Started};
use super::stored_state::{StoredState, ThreadOf};
use super::upgrade;
use super::{Enrollment, Run};
use crate::outreach::account::{Channel, ConnectedAccount};
use crate::outreach::message::MessageKind;
use crate::outreach::outbox::{self, Also, Outgoing, Thread};
use crate::outreach::sequence::plan::{Delay, ParsedStep};
use crate::outreach::sequence::step::StepType;
use crate::outreach::sequence::{self, SequencePriority};
use crate::outreach::suppression::Checked;
use crate::pipelines::task::{Task, TaskPriority, TaskType};
use crate::records::contact::Contact;
use resource::{Changes, Ctx, Error, Problem, Saved};
use serde_json::{Map, json};
use std::collections::HashSet;
use store::{Tx, Uuid};

/// What the steps of one tick share.
pub(super) struct TickState<'a> {
    pub links: &'a Links,
    pub messages: &'a RenderedMessages,
    /// Messages to render, so that the next tick can send them.
    pub drafts: Vec<(Run, Draft)>,
    /// The rendered messages that were used.
    pub used: HashSet<Run>,
    pub pace: Pace,
    /// Why the sequence as a whole has to wait.
    pub held: Option<Delay>,
    /// A template was refused, and the sequence is paused.
    pub is_paused: bool,
    /// How many enrollments were postponed because no account could send.
    pub waiting: i64,
    /// Which addresses of the due contacts, and in copy of their mails, are suppressed.
    pub suppressed: Checked,
}

impl TickState<'_> {
    /// The rendered message of a draft; `None` if the draft has to be rendered first.
    fn rendered(&mut self, run: Run, draft: Draft) -> Option<RenderResult> {
        match self.messages.get(&run) {
            Some((from, rendered)) if *from == draft => {
                self.used.insert(run);
                Some(rendered.clone())
            }
            _ => {
                self.drafts.push((run, draft));
                None
            }
        }
    }
}

/// Whether a problem of a message is about members of the step, not about the contact.
fn is_of_step(field: &str) -> bool {
    ["cc", "bcc", "attachments"].contains(&field.split('.').next().unwrap_or_default())
}

/// What became of a due step.
pub(super) enum Executed {
    /// It does not suit this contact; the next step follows.
    Skipped(String),
    /// It was started or postponed, or the enrollment ended.
    Done,
}

/// A due step with all that it needs.
pub(super) struct StepContext<'a, 't> {
    pub ctx: &'a Ctx,
    pub tx: &'a mut dyn Tx,
    pub sequence: &'a mut SequenceContext,
    pub tick: &'a mut TickState<'t>,
    pub enrollment: &'a Saved<Enrollment>,
    pub contact: &'a Saved<Contact>,
    pub step: &'a ParsedStep,
}

impl StepContext<'_, '_> {
    pub(super) fn execute(&mut self) -> Result<Executed, Error> {
        match self.action()? {
            StepAction::Send => return self.send(),
            StepAction::CreateTask => return self.create_task(),
            StepAction::Skip(reason) => return Ok(Executed::Skipped(reason)),
            StepAction::Postpone(delay) => postpone(self.ctx, self.tx, self.enrollment, &delay, delay.at)?,
            StepAction::HoldSequence(delay) => self.tick.held = Some(delay),
            StepAction::ExcludeContact(why) => {
                end(self.ctx, self.tx, self.enrollment, &Cause::ContactExcluded { why })?;
            }
            StepAction::Fail(why) => self.fail(why)?,
            StepAction::RefuseConditions(reason) => {
                let problems = vec![Problem { field: "entry_conditions".into(), reason }];
                self.refuse(&Unrendered { problems, is_refused: true })?;
            }
        }
        Ok(Executed::Done)
    }

    /// Reads what `decide` needs, in the order of its rules, so that nothing is read in vain.
    fn action(&mut self) -> Result<StepAction, Error> {
        let now = self.tx.stamp();
        if let Some(closed) = decide::window(&self.sequence.schedule_for(&self.contact.record), now) {
            return Ok(closed);
        }
        let conditions = match &self.step.entry_conditions {
            None => Conditions::Met,
            Some(conditions) => match sequence::step::excessive(conditions) {
                Some(reason) => Conditions::TooMany(reason),
                None if sequence::step::holds(self.ctx, self.tx, conditions, self.contact.id)? => Conditions::Met,
                None => Conditions::Unmet,
            },
        };
        let recipient = self.recipient();
        let suppressed = match &recipient {
            Some((Channel::Email, address)) if conditions == Conditions::Met => {
                self.tick.suppressed.against(self.ctx, self.tx, address)?
            }
            _ => None,
        };
        Ok(decide::step(StepFacts {
            kind: self.step.kind,
            is_manual: self.step.manual,
            conditions,
            has_recipient: recipient.is_some(),
            has_phone: !self.contact.record.phones.0.is_empty(),
            suppressed,
            limit: self.tick.pace.limit(&self.sequence.schedule, now),
        }))
    }

    /// The step's channel, and the contact's address there.
    fn recipient(&self) -> Option<(Channel, String)> {
        let channel = self.step.kind.channel()?;
        Some((channel, outbox::recipient(&self.contact.record, channel, None).ok()?))
    }

    fn run(&self) -> Run {
        Run { enrollment_id: self.enrollment.id, step_id: self.step.id }
    }

    /// Finds an account that can send now, and puts the rendered message into the outbox.
    fn send(&mut self) -> Result<Executed, Error> {
        let Some((channel, recipient)) = self.recipient() else { return Ok(Executed::Done) };
        let now = self.tx.stamp();
        let account = match sender(self.ctx, self.tx, self.sequence, self.enrollment, self.step, channel, now)? {
            Sender::Ready(account) => account,
            Sender::Busy(Busy { delay, look_at }) => {
                let look_at = decide::spread(look_at, self.tick.waiting, self.tx.stamp());
                self.tick.waiting += 1;
                let delay = Delay { at: delay.at.max(look_at), ..delay };
                postpone(self.ctx, self.tx, self.enrollment, &delay, look_at)?;
                return Ok(Executed::Done);
            }
        };
        let account: &Saved<ConnectedAccount> = &account;
        let tracking = Tracking {
            workspace: self.ctx.workspace,
            run: self.run(),
            opens: self.sequence.schedule.track_opens,
            clicks: self.sequence.schedule.track_clicks,
        };
        let Some(message) = self.render(Some(account), Some(tracking))? else { return Ok(Executed::Done) };
        let threads = StoredState::of(self.enrollment)?.threads;
        let thread = threads.get(channel.word()).filter(|thread| thread.account == account.id);
        let conversation = thread.and_then(|thread| thread.conversation);
        let copies = self.step.cc.iter().chain(&self.step.bcc).cloned();
        self.tick.suppressed.add(self.ctx, self.tx, copies)?;
        let put = self.also().and_then(|also| {
            let outgoing = Outgoing { also, ..self.outgoing(channel, account, conversation, message) };
            outbox::put_to(self.ctx, self.tx, &outgoing, account, self.contact, &self.tick.suppressed)
        });
        let queued = match put {
            // A suppressed address in copy or a deleted file is a problem for every contact.
            Err(Error::Invalid(problems)) if problems.iter().all(|problem| is_of_step(&problem.field)) => {
                self.refuse(&Unrendered { problems, is_refused: true })?;
                return Ok(Executed::Done);
            }
            // Suppression was checked before, so that trying again would not help.
            Err(error @ (Error::Invalid(_) | Error::NotFound(_))) => {
                self.fail(error.to_string())?;
                return Ok(Executed::Done);
            }
            queued => queued?,
        };
        let started = Started::Message(queued.message_id, Some(&recipient));
        step_runs::start(self.ctx, self.tx, self.enrollment, self.step, &started)?;
        let thread = ThreadOf { account: account.id, conversation: Some(queued.conversation_id) };
        record::message_queued(self.ctx, self.tx, self.enrollment, channel, thread)?;
        self.tick.pace.count(&self.sequence.schedule, self.tx.stamp());
        Ok(Executed::Done)
    }

    /// What the step sends besides the text.
    fn also(&mut self) -> Result<Also, Error> {
        let step = self.step;
        self.sequence.files.add(self.ctx, self.tx, step.attachments.iter().copied())?;
        let attachments = self.sequence.files.pick("attachments", &step.attachments)?;
        let (cc, bcc, reply_to) = (step.cc.clone(), step.bcc.clone(), step.reply_to.clone());
        Ok(Also { cc, bcc, reply_to, attachments, send_at: None })
    }

    fn outgoing(
        &self,
        channel: Channel,
        account: &Saved<ConnectedAccount>,
        conversation: Option<Uuid>,
        message: Rendered,
    ) -> Outgoing {
        // An email without a subject of its own is an answer in the thread.
        let is_answer = channel == Channel::Email && self.step.subject.is_none();
        let mut outgoing = Outgoing {
            kind: match self.step.kind {
                StepType::NetworkConnect => MessageKind::Invite,
                StepType::NetworkInmail => MessageKind::Inmail,
                StepType::NetworkVisit => MessageKind::Visit,
                _ => MessageKind::Message,
            },
            variant_id: self.step.variant_id(),
            thread: conversation.filter(|_| is_answer).map_or(Thread::New, Thread::In),
            run: Some(self.run()),
            ..Outgoing::new(self.contact.id, account.id, channel, message.text)
        };
        outgoing.subject = if outgoing.thread == Thread::New { message.subject } else { None };
        if channel == Channel::Email {
            outgoing.unsubscribe = Some(self.tick.links.unsubscribe(self.ctx.workspace, &self.run()));
            outgoing.html = message.html;
        }
        outgoing
    }

    /// The step's message; `None` if it has to be rendered first, or can't be.
    fn render(
        &mut self,
        account: Option<&Saved<ConnectedAccount>>,
        tracking: Option<Tracking>,
    ) -> Result<Option<Rendered>, Error> {
        let earlier_subject = self.earlier_subject()?;
        let members = self.sequence.members(self.ctx, self.tx)?;
        let source = Source {
            sequence: &self.sequence.sequence.record,
            variables: &self.enrollment.record.custom_variables,
            contact: self.contact,
            step: self.step,
            earlier_subject,
            account,
            members: &members,
            tracking,
        };
        let draft = rendered::draft(self.ctx, self.tx, source)?;
        let run = self.run();
        match self.tick.rendered(run, draft) {
            None => Ok(None),
            Some(Ok(message)) => Ok(Some(message)),
            Some(Err(unrendered)) => self.refuse(&unrendered).map(|()| None),
        }
    }

    /// The subject with which the step starts a thread if it answers in one that was never started. Of variants, the one
    /// counts that was sent, else the one that is chosen for the enrollment.
    fn earlier_subject(&mut self) -> Result<Option<String>, Error> {
        if self.step.kind != StepType::Email || self.step.subject.is_some() {
            return Ok(None);
        }
        let steps = self.sequence.steps(self.ctx, self.tx, self.enrollment.record.sequence_version)?;
        let sent = match steps.iter().any(|step| !step.variants.is_empty()) {
            true => step_runs::variants(self.ctx, self.tx, self.enrollment.id)?,
            false => Vec::new(),
        };
        let text_of = |step| rendered::sent_text(step, self.enrollment.id, &sent);
        Ok(rendered::earlier_subject(&steps, self.step.id, text_of))
    }

    /// Creates the task of the step, and waits until it is completed.
    fn create_task(&mut self) -> Result<Executed, Error> {
        let Some(message) = self.render(None, None)? else { return Ok(Executed::Done) };
        let task = self.task(message);
        let task = resource::insert::<Task>(self.ctx, self.tx, &task)?;
        step_runs::start(self.ctx, self.tx, self.enrollment, self.step, &Started::Task(task))?;
        let details = Map::from_iter([("task_id".to_owned(), json!([null, task]))]);
        change(self.ctx, self.tx, self.enrollment, &Cause::TaskCreated, Extra::details(details))?;
        Ok(Executed::Done)
    }

    fn task(&mut self, message: Rendered) -> Changes {
        let (kind, verb) = match self.step.kind {
            StepType::Email => (TaskType::Email, "Email"),
            StepType::NetworkConnect => (TaskType::NetworkConnect, "Invite"),
            StepType::NetworkVisit => (TaskType::NetworkMessage, "Visit the profile of"),
            StepType::NetworkMessage | StepType::NetworkInmail => (TaskType::NetworkMessage, "Message"),
            StepType::Chat => (TaskType::Chat, "Message"),
            StepType::Call => (TaskType::Call, "Call"),
            StepType::Task => (TaskType::Todo, "See to"),
        };
        let contact = &self.contact.record;
        let name = [Some(contact.first_name.as_str()), contact.last_name.as_deref()];
        let name = name.into_iter().flatten().collect::<Vec<_>>().join(" ");
        let title = self.step.name.clone().unwrap_or_else(|| format!("{verb} {name}"));
        let description = [message.subject, Some(message.text)].into_iter().flatten().filter(|text| !text.is_empty());
        let description = description.collect::<Vec<_>>().join("\n\n");
        let cut = |text: &str, most: usize| text.chars().take(most).collect::<String>();
        let (now, sequence, mut task) = (self.tx.stamp(), &self.sequence.sequence.record, Changes::default());
        task.set(Task::TITLE, cut(&title, 255));
        task.set(Task::DESCRIPTION, (!description.is_empty()).then(|| cut(&description, 10_000)));
        task.set(Task::TYPE, kind);
        task.set(Task::CONTACT_ID, self.contact.id);
        task.set(Task::PROJECT_ID, sequence.project_id);
        task.set(Task::ASSIGNED_TO, sequence.owner_ids.0.first().copied());
        task.set(Task::DUE_DATE, self.sequence.schedule_for(contact).day(now));
        if sequence.priority == SequencePriority::High {
            task.set(Task::PRIORITY, TaskPriority::High);
        }
        task
    }

    /// The message can't be rendered. If the template is at fault, the sequence is paused so that its owner can correct it.
    /// Once that is done, the enrollments follow the corrected steps. One that can't fails.
    fn refuse(&mut self, unrendered: &Unrendered) -> Result<(), Error> {
        let version = self.enrollment.record.sequence_version;
        if !unrendered.is_refused {
            return self.fail(unrendered.reason(""));
        }
        if version != self.sequence.sequence.record.version {
            return match upgrade::follow(self.ctx, self.tx, self.sequence, self.enrollment)? {
                true => Ok(()),
                false => self.fail(unrendered.reason("")),
            };
        }
        let steps = self.sequence.steps(self.ctx, self.tx, version)?;
        let at = steps.iter().position(|other| other.id == self.step.id).unwrap_or(0);
        let reason = unrendered.reason(&format!("steps.{at}."));
        sequence::start::halt(self.ctx, self.tx, &self.sequence.sequence, &reason)?;
        self.tick.is_paused = true;
        Ok(())
    }

    /// The step can't be carried out, and nothing was sent.
    fn fail(&mut self, why: String) -> Result<(), Error> {
        step_runs::fail(self.ctx, self.tx, self.enrollment, self.step, &why)?;
        end(self.ctx, self.tx, self.enrollment, &Cause::StepFailed { why }).map(drop)
    }
}
