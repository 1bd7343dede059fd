"""Changes one member of records with a generated client: everything else stays. bin/prove-clients runs it."""

import sys

from relata_client.api.contacts import bulk_contacts, create_contact, get_contact, list_contacts, update_contact
from relata_client.api.events import list_events
from relata_client.api.projects import create_project, get_project, update_project
from relata_client.api.tags import create_tag, update_tag
from relata_client.api.tasks import create_task, get_task, update_task
from relata_client.client import AuthenticatedClient
from relata_client import models

origin, key = sys.argv[1:]
client = AuthenticatedClient(base_url=origin + "/api/v1", token=key)


def unchanged(before, after, changed):
    ignored = set(changed) | {"updated_at", "last_activity_at"}
    before = {name: value for name, value in before.to_dict().items() if name not in ignored}
    after = {name: value for name, value in after.to_dict().items() if name not in ignored}
    assert before == after, (before, after)


# A contact that is not as new ones are.
contact = create_contact.sync(
    client=client,
    body=models.ContactInput.from_dict(
        {"first_name": "Ada", "global_status": "qualified", "contact_type": "client", "tags": ["VIP"],
         "emails": [{"email": "ada@example.com", "type": "personal"}]}
    ),
).data
changed = update_contact.sync(contact.id, client=client, body=models.ContactUpdate(title="CTO")).data
assert changed.title == "CTO"
unchanged(contact, changed, ["title"])
unchanged(changed, get_contact.sync(contact.id, client=client).data, [])

task = create_task.sync(
    client=client,
    body=models.TaskInput.from_dict({"title": "Call", "status": "done", "priority": "high", "type": "call"}),
).data
unchanged(task, update_task.sync(task.id, client=client, body=models.TaskUpdate(title="Call again")).data, ["title"])
assert get_task.sync(task.id, client=client).data.title == "Call again"

project = create_project.sync(
    client=client, body=models.ProjectInput.from_dict({"name": "Head of Data", "status": "archived"})
).data
unchanged(
    project, update_project.sync(project.id, client=client, body=models.ProjectUpdate(name="CDO")).data, ["name"]
)
assert get_project.sync(project.id, client=client).data.name == "CDO"

tag = create_tag.sync(client=client, body=models.TagInput.from_dict({"name": "Gold", "color": "#ffd700"})).data
unchanged(tag, update_tag.sync(tag.id, client=client, body=models.TagUpdate(name="Golden")).data, ["name"])

# Errors say what is wrong.
refused = create_contact.sync(client=client, body=models.ContactInput.from_dict({"first_name": ""}))
assert isinstance(refused, models.Error), refused
assert refused.error.code == "validation_error" and refused.error.details[0].field == "first_name", refused

# Results of a bulk request, each with its error.
results = bulk_contacts.sync(
    client=client,
    body=models.BulkInput.from_dict({"items": [{"op": "create", "data": {"first_name": "Ben"}}, {"op": "create", "data": {"first_name": ""}}]}),
).data.results
assert [one.status for one in results] == [201, 400], results
assert results[1].error.details[0].field == "first_name", results

# Events with what changed.
events = list_events.sync(client=client).data
titles = [event.changes.to_dict().get("title") for event in events if event.type_ == "contact.updated"]
assert [None, "CTO"] in titles, titles

# Pages by cursor, with the defaults that the client sends, and a range.
seen, cursor = [], ""
while True:
    page = list_contacts.sync(client=client, cursor=cursor, limit=1, created_at=["gte.2020-01-01", "lt.2100-01-01"])
    seen += [one.first_name for one in page.data]
    if not page.meta.has_more:
        break
    cursor = page.meta.next_cursor
assert sorted(seen) == ["Ada", "Ben"], seen
print("a partial update changes nothing else; errors, bulk results, events and pages are typed")
