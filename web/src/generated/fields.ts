// Made by `npm run generate` from the API documents. Do not edit.

export const CONTACT_FIELDS = [
  {
    "key": "first_name",
    "label": "First name",
    "type": "text",
    "sort": true,
    "filter": "first_name",
    "required": true
  },
  {
    "key": "last_name",
    "label": "Last name",
    "type": "text",
    "sort": true,
    "filter": "last_name"
  },
  {
    "key": "title",
    "label": "Title",
    "type": "text",
    "sort": true,
    "filter": "title"
  },
  {
    "key": "current_company",
    "label": "Company",
    "type": "text",
    "sort": true,
    "filter": "current_company"
  },
  {
    "key": "company_id",
    "label": "Linked company",
    "type": "company",
    "filter": "company_id"
  },
  {
    "key": "emails",
    "label": "Email",
    "type": "emails",
    "filter": "email"
  },
  {
    "key": "phones",
    "label": "Phone",
    "type": "phones",
    "filter": "phone"
  },
  {
    "key": "location",
    "label": "Location",
    "type": "text",
    "filter": "location"
  },
  {
    "key": "global_status",
    "label": "Status",
    "type": "choice",
    "filter": "global_status",
    "required": true,
    "choices": [
      "new",
      "contacted",
      "replied",
      "qualified",
      "archived"
    ]
  },
  {
    "key": "contact_type",
    "label": "Type",
    "type": "choice",
    "filter": "contact_type",
    "required": true,
    "choices": [
      "candidate",
      "client",
      "prospect",
      "other"
    ]
  },
  {
    "key": "tags",
    "label": "Tags",
    "type": "tags",
    "filter": "tags"
  },
  {
    "key": "skills",
    "label": "Skills",
    "type": "list",
    "filter": "skills"
  },
  {
    "key": "languages",
    "label": "Languages",
    "type": "list",
    "filter": "languages"
  },
  {
    "key": "years_experience",
    "label": "Years of experience",
    "type": "number",
    "sort": true,
    "filter": "years_experience"
  },
  {
    "key": "network_profile",
    "label": "Network profile",
    "type": "url",
    "filter": "network_profile"
  },
  {
    "key": "do_not_contact",
    "label": "Do not contact",
    "type": "boolean",
    "filter": "do_not_contact",
    "required": true
  },
  {
    "key": "summary",
    "label": "Summary",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "last_contacted_at",
    "label": "Last contacted",
    "type": "time",
    "sort": true,
    "filter": "last_contacted_at",
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const TAG_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "color",
    "label": "Color",
    "type": "text",
    "filter": "color",
    "required": true
  },
  {
    "key": "scope",
    "label": "Scope",
    "type": "choice",
    "filter": "scope",
    "required": true,
    "choices": [
      "global",
      "contact",
      "company",
      "deal",
      "project"
    ]
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  }
] as const

export const COMPANY_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "domain",
    "label": "Domain",
    "type": "text",
    "filter": "domain"
  },
  {
    "key": "website",
    "label": "Website",
    "type": "url",
    "filter": "website"
  },
  {
    "key": "industry",
    "label": "Industry",
    "type": "text",
    "filter": "industry"
  },
  {
    "key": "location",
    "label": "Location",
    "type": "text",
    "filter": "location"
  },
  {
    "key": "size_range",
    "label": "Size",
    "type": "choice",
    "filter": "size_range",
    "choices": [
      "1-10",
      "11-50",
      "51-200",
      "201-500",
      "501-1000",
      "1001-5000",
      "5001-10000",
      "10001+"
    ]
  },
  {
    "key": "employee_count",
    "label": "Employees",
    "type": "number",
    "sort": true,
    "filter": "employee_count"
  },
  {
    "key": "contacts_count",
    "label": "People",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "deals_count",
    "label": "Deals",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "owner_id",
    "label": "Owner",
    "type": "member",
    "filter": "owner_id"
  },
  {
    "key": "tags",
    "label": "Tags",
    "type": "tags",
    "filter": "tags"
  },
  {
    "key": "phone",
    "label": "Phone",
    "type": "text",
    "filter": false
  },
  {
    "key": "email",
    "label": "Email",
    "type": "text",
    "filter": false
  },
  {
    "key": "network_profile",
    "label": "Network profile",
    "type": "url",
    "filter": false
  },
  {
    "key": "description",
    "label": "Description",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const DEAL_FIELDS = [
  {
    "key": "title",
    "label": "Title",
    "type": "text",
    "sort": true,
    "filter": "title",
    "required": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "open",
      "won",
      "lost",
      "disqualified"
    ]
  },
  {
    "key": "stage_id",
    "label": "Stage",
    "type": "choice",
    "filter": "stage_id",
    "required": true
  },
  {
    "key": "amount",
    "label": "Amount",
    "type": "money",
    "sort": true,
    "filter": "amount"
  },
  {
    "key": "expected_amount",
    "label": "Expected amount",
    "type": "money",
    "filter": "expected_amount"
  },
  {
    "key": "signed_amount",
    "label": "Signed amount",
    "type": "money",
    "filter": "signed_amount",
    "readonly": true
  },
  {
    "key": "currency",
    "label": "Currency",
    "type": "text",
    "filter": "currency",
    "required": true
  },
  {
    "key": "probability",
    "label": "Probability %",
    "type": "number",
    "sort": true,
    "filter": "probability"
  },
  {
    "key": "expected_close_date",
    "label": "Expected close",
    "type": "date",
    "sort": true,
    "filter": "expected_close_date"
  },
  {
    "key": "company_id",
    "label": "Company",
    "type": "company",
    "filter": "company_id"
  },
  {
    "key": "owner_id",
    "label": "Owner",
    "type": "member",
    "filter": "owner_id"
  },
  {
    "key": "closed_at",
    "label": "Closed",
    "type": "time",
    "sort": true,
    "filter": "closed_at",
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const PROJECT_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "sort": true,
    "filter": "status",
    "required": true,
    "choices": [
      "active",
      "archived"
    ]
  },
  {
    "key": "client_company_id",
    "label": "Client company",
    "type": "company",
    "filter": "client_company_id"
  },
  {
    "key": "client_name",
    "label": "Client",
    "type": "text",
    "filter": "client_name"
  },
  {
    "key": "location",
    "label": "Location",
    "type": "text",
    "filter": "location"
  },
  {
    "key": "entries_count",
    "label": "Candidates",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "description",
    "label": "Description",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const PROJECT_ENTRY_FIELDS = [
  {
    "key": "stage_id",
    "label": "Stage",
    "type": "choice",
    "filter": "stage_id",
    "required": true
  },
  {
    "key": "rating",
    "label": "Rating",
    "type": "rating",
    "sort": true,
    "filter": "rating"
  },
  {
    "key": "rejection_reason_id",
    "label": "Rejected because",
    "type": "choice",
    "filter": "rejection_reason_id"
  },
  {
    "key": "notes",
    "label": "About",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const ENTRY_FIELDS = [
  {
    "key": "stage_id",
    "label": "Stage",
    "type": "choice",
    "filter": "stage_id",
    "required": true
  },
  {
    "key": "rating",
    "label": "Rating",
    "type": "rating",
    "sort": true,
    "filter": "rating"
  },
  {
    "key": "rejection_reason_id",
    "label": "Rejected because",
    "type": "choice",
    "filter": "rejection_reason_id"
  },
  {
    "key": "notes",
    "label": "About",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const NOTE_FIELDS = [
  {
    "key": "content",
    "label": "Content",
    "type": "long_text",
    "filter": false,
    "required": true
  },
  {
    "key": "is_pinned",
    "label": "Is pinned",
    "type": "boolean",
    "filter": "is_pinned",
    "required": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const TASK_FIELDS = [
  {
    "key": "title",
    "label": "Title",
    "type": "text",
    "filter": "title",
    "required": true
  },
  {
    "key": "description",
    "label": "Description",
    "type": "long_text",
    "filter": false
  },
  {
    "key": "type",
    "label": "Type",
    "type": "choice",
    "filter": "type",
    "required": true,
    "choices": [
      "call",
      "email",
      "network_connect",
      "network_message",
      "chat",
      "todo",
      "reminder",
      "meeting",
      "interview"
    ]
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "sort": true,
    "filter": "status",
    "required": true,
    "choices": [
      "todo",
      "done",
      "skipped"
    ]
  },
  {
    "key": "priority",
    "label": "Priority",
    "type": "choice",
    "sort": true,
    "filter": "priority",
    "required": true,
    "choices": [
      "low",
      "medium",
      "high"
    ]
  },
  {
    "key": "due_date",
    "label": "Due date",
    "type": "date",
    "sort": true,
    "filter": "due_date"
  },
  {
    "key": "assigned_to",
    "label": "Assigned to",
    "type": "member",
    "filter": "assigned_to"
  },
  {
    "key": "company_id",
    "label": "Company",
    "type": "company",
    "filter": "company_id"
  },
  {
    "key": "completed_at",
    "label": "Completed",
    "type": "time",
    "filter": "completed_at",
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Added",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Changed",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const SEQUENCE_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "sort": true,
    "filter": "status",
    "required": true,
    "choices": [
      "draft",
      "active",
      "paused",
      "archived"
    ]
  },
  {
    "key": "paused_reason",
    "label": "Paused reason",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "priority",
    "label": "Priority",
    "type": "choice",
    "filter": "priority",
    "required": true,
    "choices": [
      "normal",
      "high"
    ]
  },
  {
    "key": "mode",
    "label": "Shape",
    "type": "choice",
    "filter": "mode",
    "required": true,
    "choices": [
      "simple",
      "advanced"
    ]
  },
  {
    "key": "steps_count",
    "label": "Steps count",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "version",
    "label": "Version",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const PROJECT_SEQUENCE_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "sort": true,
    "filter": "status",
    "required": true,
    "choices": [
      "draft",
      "active",
      "paused",
      "archived"
    ]
  },
  {
    "key": "paused_reason",
    "label": "Paused reason",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "priority",
    "label": "Priority",
    "type": "choice",
    "filter": "priority",
    "required": true,
    "choices": [
      "normal",
      "high"
    ]
  },
  {
    "key": "mode",
    "label": "Shape",
    "type": "choice",
    "filter": "mode",
    "required": true,
    "choices": [
      "simple",
      "advanced"
    ]
  },
  {
    "key": "steps_count",
    "label": "Steps count",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "version",
    "label": "Version",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "is_default",
    "label": "Is default",
    "type": "boolean",
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const ENROLLMENT_FIELDS = [
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "active",
      "paused",
      "finished",
      "replied",
      "bounced",
      "unsubscribed",
      "unenrolled",
      "failed"
    ]
  },
  {
    "key": "next_step_at",
    "label": "Next step",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "reason",
    "label": "Reason",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "enrolled_at",
    "label": "Enrolled",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "finished_at",
    "label": "Finished",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "sequence_version",
    "label": "Sequence version",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "sort": true,
    "filter": "updated_at",
    "readonly": true,
    "required": true
  }
] as const

export const ENRICHMENT_REQUEST_FIELDS = [
  {
    "key": "types",
    "label": "Types",
    "type": "list",
    "filter": false,
    "readonly": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "pending",
      "processing",
      "completed",
      "failed"
    ]
  },
  {
    "key": "provider",
    "label": "Provider",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "credits_consumed",
    "label": "Credits consumed",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "max_credits",
    "label": "Max credits",
    "type": "number",
    "filter": false,
    "readonly": true
  },
  {
    "key": "error",
    "label": "Error",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "completed_at",
    "label": "Completed",
    "type": "time",
    "filter": false,
    "readonly": true
  }
] as const

export const CONNECTED_ACCOUNT_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": false,
    "required": true
  },
  {
    "key": "provider",
    "label": "Provider",
    "type": "choice",
    "filter": "provider",
    "required": true,
    "choices": [
      "email",
      "network",
      "chat"
    ]
  },
  {
    "key": "license_type",
    "label": "License type",
    "type": "choice",
    "filter": "license_type",
    "choices": [
      "classic",
      "sales_navigator",
      "recruiter"
    ]
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "connected",
      "disconnected",
      "error"
    ]
  },
  {
    "key": "status_reason",
    "label": "Status reason",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "visibility",
    "label": "Visibility",
    "type": "choice",
    "filter": false,
    "required": true,
    "choices": [
      "workspace",
      "owner"
    ]
  },
  {
    "key": "address",
    "label": "Address",
    "type": "text",
    "filter": false
  },
  {
    "key": "daily_limit",
    "label": "Daily limit",
    "type": "number",
    "filter": false
  },
  {
    "key": "min_gap_minutes",
    "label": "Min gap minutes",
    "type": "number",
    "filter": false
  },
  {
    "key": "ramp_up",
    "label": "Ramp up",
    "type": "number",
    "filter": false
  },
  {
    "key": "search_limit",
    "label": "Search limit",
    "type": "number",
    "filter": false
  },
  {
    "key": "file_sent",
    "label": "File sent",
    "type": "choice",
    "filter": false,
    "required": true,
    "choices": [
      "auto",
      "never"
    ]
  },
  {
    "key": "filing_problem",
    "label": "Filing problem",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "receives",
    "label": "Receives",
    "type": "boolean",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "last_sync_at",
    "label": "Last sync",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "mails_in_folder",
    "label": "Mails in folder",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "mails_stored",
    "label": "Mails stored",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "mails_unstored",
    "label": "Mails unstored",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "mails_waiting",
    "label": "Mails waiting",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "behind_since",
    "label": "Behind since",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const UNSTORED_MAIL_FIELDS = [
  {
    "key": "uid",
    "label": "Uid",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "reason",
    "label": "Reason",
    "type": "text",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "sender",
    "label": "Sender",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "subject",
    "label": "Subject",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "size",
    "label": "Size",
    "type": "number",
    "filter": false,
    "readonly": true
  },
  {
    "key": "received_at",
    "label": "Received",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  }
] as const

export const CONVERSATION_FIELDS = [
  {
    "key": "channel",
    "label": "Channel",
    "type": "choice",
    "filter": "channel",
    "readonly": true,
    "required": true,
    "choices": [
      "email",
      "network",
      "chat"
    ]
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "required": true,
    "choices": [
      "open",
      "archived"
    ]
  },
  {
    "key": "subject",
    "label": "Subject",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "assigned_to",
    "label": "Assigned to",
    "type": "member",
    "filter": "assigned_to"
  },
  {
    "key": "snoozed_until",
    "label": "Snoozed until",
    "type": "time",
    "sort": true,
    "filter": "snoozed_until"
  },
  {
    "key": "unread_count",
    "label": "Unread count",
    "type": "number",
    "filter": "unread_count",
    "readonly": true,
    "required": true
  },
  {
    "key": "last_message_at",
    "label": "Last message",
    "type": "time",
    "sort": true,
    "filter": "last_message_at",
    "readonly": true
  },
  {
    "key": "active_at",
    "label": "Active",
    "type": "time",
    "sort": true,
    "filter": "active_at",
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const MESSAGE_FIELDS = [
  {
    "key": "content",
    "label": "Content",
    "type": "text",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "quoted",
    "label": "Quoted",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "html",
    "label": "Html",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "subject",
    "label": "Subject",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "direction",
    "label": "Direction",
    "type": "choice",
    "filter": "direction",
    "readonly": true,
    "required": true,
    "choices": [
      "inbound",
      "outbound"
    ]
  },
  {
    "key": "channel",
    "label": "Channel",
    "type": "choice",
    "filter": "channel",
    "readonly": true,
    "required": true,
    "choices": [
      "email",
      "network",
      "chat"
    ]
  },
  {
    "key": "address",
    "label": "Address",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "cc",
    "label": "Cc",
    "type": "list",
    "filter": false,
    "readonly": true
  },
  {
    "key": "bcc",
    "label": "Bcc",
    "type": "list",
    "filter": false,
    "readonly": true
  },
  {
    "key": "reply_to",
    "label": "Reply to",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "kind",
    "label": "Kind",
    "type": "choice",
    "filter": false,
    "readonly": true,
    "required": true,
    "choices": [
      "message",
      "invite",
      "inmail",
      "visit",
      "auto_reply",
      "out_of_office",
      "bounce",
      "complaint",
      "notice"
    ]
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "queued",
      "sent",
      "failed",
      "received"
    ]
  },
  {
    "key": "error",
    "label": "Error",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "send_at",
    "label": "Send",
    "type": "time",
    "sort": true,
    "filter": "send_at"
  },
  {
    "key": "sent_at",
    "label": "Sent",
    "type": "time",
    "sort": true,
    "filter": "sent_at",
    "readonly": true
  },
  {
    "key": "read_at",
    "label": "Read",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "author_kind",
    "label": "Author kind",
    "type": "choice",
    "filter": false,
    "readonly": true,
    "choices": [
      "user",
      "key"
    ]
  },
  {
    "key": "author_name",
    "label": "Author name",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const MESSAGE_TEMPLATE_FIELDS = [
  {
    "key": "name",
    "label": "Name",
    "type": "text",
    "sort": true,
    "filter": "name",
    "required": true
  },
  {
    "key": "subject",
    "label": "Subject",
    "type": "text",
    "filter": false
  },
  {
    "key": "content",
    "label": "Content",
    "type": "long_text",
    "filter": false,
    "required": true
  },
  {
    "key": "shared",
    "label": "Shared",
    "type": "boolean",
    "filter": "shared",
    "required": true
  },
  {
    "key": "variables",
    "label": "Variables",
    "type": "list",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "sort": true,
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const SUPPRESSION_FIELDS = [
  {
    "key": "address",
    "label": "Address",
    "type": "text",
    "filter": "address"
  },
  {
    "key": "domain",
    "label": "Domain",
    "type": "text",
    "filter": "domain"
  },
  {
    "key": "reason",
    "label": "Reason",
    "type": "choice",
    "filter": "reason",
    "readonly": true,
    "required": true,
    "choices": [
      "manual",
      "unsubscribed",
      "complained",
      "bounced"
    ]
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  }
] as const

export const IMPORT_FIELDS = [
  {
    "key": "collection",
    "label": "Collection",
    "type": "choice",
    "filter": "collection",
    "readonly": true,
    "required": true,
    "choices": [
      "contacts",
      "companies"
    ]
  },
  {
    "key": "format",
    "label": "Format",
    "type": "choice",
    "filter": "format",
    "readonly": true,
    "required": true,
    "choices": [
      "csv",
      "ndjson"
    ]
  },
  {
    "key": "filename",
    "label": "Filename",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "ignored_columns",
    "label": "Ignored columns",
    "type": "list",
    "filter": false,
    "readonly": true
  },
  {
    "key": "match_on",
    "label": "Match on",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "dry_run",
    "label": "Dry run",
    "type": "boolean",
    "filter": "dry_run",
    "readonly": true,
    "required": true
  },
  {
    "key": "status",
    "label": "Status",
    "type": "choice",
    "filter": "status",
    "readonly": true,
    "required": true,
    "choices": [
      "pending",
      "processing",
      "completed",
      "failed",
      "undoing",
      "undone"
    ]
  },
  {
    "key": "error",
    "label": "Error",
    "type": "text",
    "filter": false,
    "readonly": true
  },
  {
    "key": "progress",
    "label": "Progress",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "total",
    "label": "Total",
    "type": "number",
    "filter": false,
    "readonly": true
  },
  {
    "key": "processed",
    "label": "Processed",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "created",
    "label": "Created",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "updated",
    "label": "Updated",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "skipped",
    "label": "Skipped",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "failed",
    "label": "Failed",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "removed",
    "label": "Removed",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "restored",
    "label": "Restored",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "kept",
    "label": "Kept",
    "type": "number",
    "filter": false,
    "readonly": true,
    "required": true
  },
  {
    "key": "completed_at",
    "label": "Completed",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "undone_at",
    "label": "Undone",
    "type": "time",
    "filter": false,
    "readonly": true
  },
  {
    "key": "created_at",
    "label": "Created",
    "type": "time",
    "sort": true,
    "filter": "created_at",
    "readonly": true,
    "required": true
  },
  {
    "key": "updated_at",
    "label": "Updated",
    "type": "time",
    "filter": false,
    "readonly": true,
    "required": true
  }
] as const

export const ERROR_INFO_CHOICES = {
  "code": [
    "validation_error",
    "malformed_request",
    "invalid_api_key",
    "insufficient_credits",
    "insufficient_scope",
    "insufficient_role",
    "billing_required",
    "plan_upgrade_required",
    "not_found",
    "method_not_allowed",
    "idempotency_conflict",
    "erased_address",
    "gone",
    "precondition_failed",
    "payload_too_large",
    "storage_quota_exceeded",
    "unsupported_media_type",
    "rate_limit_exceeded",
    "internal_error",
    "unavailable"
  ]
} as const

export const CONTACT_CHOICES = {
  "emails.type": [
    "work",
    "personal",
    "other"
  ],
  "phones.type": [
    "personal",
    "work",
    "mobile",
    "home",
    "other"
  ],
  "global_status": [
    "new",
    "contacted",
    "replied",
    "qualified",
    "archived"
  ],
  "contact_type": [
    "candidate",
    "client",
    "prospect",
    "other"
  ]
} as const

export const ERASURE_CHOICES = {
  "state": [
    "erasing"
  ]
} as const

export const TAG_CHOICES = {
  "scope": [
    "global",
    "contact",
    "company",
    "deal",
    "project"
  ]
} as const

export const CONTACT_CV_CHOICES = {
  "content_type": [
    "application/pdf",
    "application/msword",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "application/vnd.oasis.opendocument.text",
    "application/rtf",
    "text/plain"
  ]
} as const

export const COMPANY_CHOICES = {
  "size_range": [
    "1-10",
    "11-50",
    "51-200",
    "201-500",
    "501-1000",
    "1001-5000",
    "5001-10000",
    "10001+"
  ]
} as const

export const DEAL_CHOICES = {
  "status": [
    "open",
    "won",
    "lost",
    "disqualified"
  ]
} as const

export const DEAL_WHOLE_CHOICES = {
  "status": [
    "open",
    "won",
    "lost",
    "disqualified"
  ]
} as const

export const DUPLICATES_CHOICES = {
  "reasons": [
    "email",
    "network_profile",
    "phone",
    "name_and_company",
    "domain",
    "name"
  ]
} as const

export const MERGE_CHOICES = {
  "ends.status": [
    "active",
    "paused",
    "finished",
    "replied",
    "bounced",
    "unsubscribed",
    "unenrolled",
    "failed"
  ]
} as const

export const PROJECT_CHOICES = {
  "status": [
    "active",
    "archived"
  ]
} as const

export const PROJECT_DETAIL_CHOICES = {
  "status": [
    "active",
    "archived"
  ]
} as const

export const PROJECT_TEMPLATE_CHOICES = {
  "stages.system_category": [
    "sourced",
    "contacted",
    "replied",
    "interview",
    "offer",
    "hired",
    "rejected",
    "other"
  ]
} as const

export const TASK_CHOICES = {
  "type": [
    "call",
    "email",
    "network_connect",
    "network_message",
    "chat",
    "todo",
    "reminder",
    "meeting",
    "interview"
  ],
  "status": [
    "todo",
    "done",
    "skipped"
  ],
  "priority": [
    "low",
    "medium",
    "high"
  ]
} as const

export const SEQUENCE_CHOICES = {
  "status": [
    "draft",
    "active",
    "paused",
    "archived"
  ],
  "priority": [
    "normal",
    "high"
  ],
  "mode": [
    "simple",
    "advanced"
  ]
} as const

export const WHOLE_SEQUENCE_CHOICES = {
  "status": [
    "draft",
    "active",
    "paused",
    "archived"
  ],
  "priority": [
    "normal",
    "high"
  ],
  "mode": [
    "simple",
    "advanced"
  ],
  "steps.type": [
    "email",
    "network_connect",
    "network_message",
    "network_inmail",
    "network_visit",
    "chat",
    "call",
    "task"
  ],
  "steps.execution_mode": [
    "automatic",
    "manual"
  ]
} as const

export const STARTED_SEQUENCE_CHOICES = {
  "status": [
    "draft",
    "active",
    "paused",
    "archived"
  ],
  "priority": [
    "normal",
    "high"
  ],
  "mode": [
    "simple",
    "advanced"
  ],
  "warnings.code": [
    "public_url_loopback",
    "public_url_not_https",
    "no_unsubscribe_link",
    "half_written_names",
    "missing_values",
    "domain_check_failed"
  ]
} as const

export const PROJECT_SEQUENCE_CHOICES = {
  "status": [
    "draft",
    "active",
    "paused",
    "archived"
  ],
  "priority": [
    "normal",
    "high"
  ],
  "mode": [
    "simple",
    "advanced"
  ]
} as const

export const ENROLL_RESULT_CHOICES = {
  "results.outcome": [
    "enrolled",
    "skipped_blacklisted",
    "skipped_already_enrolled",
    "skipped_active_elsewhere",
    "skipped_not_found"
  ]
} as const

export const ENROLLMENT_CHOICES = {
  "status": [
    "active",
    "paused",
    "finished",
    "replied",
    "bounced",
    "unsubscribed",
    "unenrolled",
    "failed"
  ]
} as const

export const ENRICHMENT_REQUEST_CHOICES = {
  "status": [
    "pending",
    "processing",
    "completed",
    "failed"
  ],
  "attempts.outcome": [
    "found",
    "nothing",
    "failed",
    "skipped"
  ]
} as const

export const CONNECTED_ACCOUNT_CHOICES = {
  "provider": [
    "email",
    "network",
    "chat"
  ],
  "license_type": [
    "classic",
    "sales_navigator",
    "recruiter"
  ],
  "status": [
    "connected",
    "disconnected",
    "error"
  ],
  "visibility": [
    "workspace",
    "owner"
  ],
  "file_sent": [
    "auto",
    "never"
  ]
} as const

export const DOMAIN_CHECK_CHOICES = {
  "findings.check": [
    "spf",
    "dkim",
    "dmarc",
    "mx",
    "unsubscribe"
  ],
  "findings.verdict": [
    "pass",
    "warn",
    "fail",
    "unknown"
  ]
} as const

export const CONVERSATION_CHOICES = {
  "channel": [
    "email",
    "network",
    "chat"
  ],
  "status": [
    "open",
    "archived"
  ]
} as const

export const MESSAGE_CHOICES = {
  "direction": [
    "inbound",
    "outbound"
  ],
  "channel": [
    "email",
    "network",
    "chat"
  ],
  "kind": [
    "message",
    "invite",
    "inmail",
    "visit",
    "auto_reply",
    "out_of_office",
    "bounce",
    "complaint",
    "notice"
  ],
  "status": [
    "queued",
    "sent",
    "failed",
    "received"
  ],
  "author_kind": [
    "user",
    "key"
  ]
} as const

export const SENT_MESSAGE_CHOICES = {
  "direction": [
    "inbound",
    "outbound"
  ],
  "channel": [
    "email",
    "network",
    "chat"
  ],
  "kind": [
    "message",
    "invite",
    "inmail",
    "visit",
    "auto_reply",
    "out_of_office",
    "bounce",
    "complaint",
    "notice"
  ],
  "status": [
    "queued",
    "sent",
    "failed",
    "received"
  ],
  "author_kind": [
    "user",
    "key"
  ]
} as const

export const MESSAGE_DRAFT_CHOICES = {
  "channel": [
    "email",
    "network",
    "chat"
  ]
} as const

export const SUPPRESSION_CHOICES = {
  "reason": [
    "manual",
    "unsubscribed",
    "complained",
    "bounced"
  ]
} as const

export const NETWORK_JOBS_CHOICES = {
  "items.workplace_type": [
    "on_site",
    "hybrid",
    "remote"
  ]
} as const

export const CUSTOM_FIELD_CHOICES = {
  "type": [
    "text",
    "number",
    "boolean",
    "date",
    "select",
    "multi_select",
    "url"
  ]
} as const

export const IMPORT_CHOICES = {
  "collection": [
    "contacts",
    "companies"
  ],
  "format": [
    "csv",
    "ndjson"
  ],
  "status": [
    "pending",
    "processing",
    "completed",
    "failed",
    "undoing",
    "undone"
  ]
} as const

export const IMPORT_PREVIEW_CHOICES = {
  "format": [
    "csv",
    "ndjson"
  ],
  "encoding": [
    "utf-8",
    "utf-16le",
    "utf-16be",
    "windows-1252"
  ],
  "separator": [
    ",",
    ";",
    "\t"
  ]
} as const

export const REASON_CHOICES = {
  "kind": [
    "rejection",
    "close",
    "loss",
    "source"
  ]
} as const

export const MEMBER_CHOICES = {
  "role": [
    "owner",
    "admin",
    "member"
  ]
} as const

export const STEP_LABELS = {
  "id": "Id",
  "position": "Position",
  "client_key": "Client key",
  "type": "Type",
  "name": "Name",
  "subject": "Subject",
  "body": "Text",
  "cc": "Cc",
  "bcc": "Bcc",
  "reply_to": "Reply to",
  "attachments": "Attachments",
  "variants": "Variants",
  "content_template": "Content template",
  "delay_days": "Wait days",
  "delay_hours": "Wait hours",
  "execution_mode": "Done",
  "sender_ids": "From",
  "parent_step_id": "Parent step",
  "branch_condition": "Taken",
  "entry_conditions": "Conditions"
} as const

export const PLANS = [
  "starter",
  "growth",
  "scale"
] as const

export const PLAN_OF_SCOPE = {
  "companies:delete": "starter",
  "companies:read": "starter",
  "companies:write": "starter",
  "contacts:delete": "starter",
  "contacts:read": "starter",
  "contacts:write": "starter",
  "deals:delete": "starter",
  "deals:read": "starter",
  "deals:write": "starter",
  "enrichment:read": "scale",
  "enrichment:write": "scale",
  "messages:read": "growth",
  "messages:write": "growth",
  "notes:read": "starter",
  "notes:write": "starter",
  "pipeline:read": "starter",
  "pipeline:write": "starter",
  "projects:read": "starter",
  "projects:write": "starter",
  "sequences:read": "growth",
  "sequences:write": "growth",
  "sourcing:read": "scale",
  "sourcing:write": "scale",
  "tags:read": "starter",
  "tags:write": "starter",
  "tasks:read": "starter",
  "tasks:write": "starter"
} as const

export const TEMPLATE_VARIABLES = [
  "id",
  "first_name",
  "last_name",
  "title",
  "current_company",
  "location",
  "network_profile",
  "emails",
  "phones",
  "tags",
  "global_status",
  "contact_type",
  "company_id",
  "summary",
  "skills",
  "languages",
  "years_experience",
  "do_not_contact",
  "created_at",
  "updated_at",
  "last_contacted_at",
  "archived_at",
  "company.name",
  "sender.name",
  "sender.first_name",
  "sender.email",
  "sender.signature",
  "project.name",
  "unsubscribe_url",
  "custom_variable_1",
  "custom_variable_2",
  "custom_variable_3",
  "custom_variable_4",
  "custom_variable_5",
  "custom_variable_6",
  "custom_variable_7",
  "custom_variable_8",
  "custom_variable_9",
  "custom_variable_10"
] as const
