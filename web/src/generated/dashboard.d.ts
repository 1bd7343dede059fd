// Made by `npm run generate` from the API documents. Do not edit.

export interface paths {
    "/dashboard/state": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the installation must be set up */
        get: operations["dashboard_state"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether a set-up link is valid */
        get: operations["dashboard_setup_state"];
        put?: never;
        /** Set up the installation and sign in */
        post: operations["dashboard_setup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in */
        post: operations["dashboard_sign_in"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["dashboard_sign_out"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The invitation of a link */
        get: operations["dashboard_guest"];
        put?: never;
        /** Accept an invitation and sign in */
        post: operations["dashboard_accept"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the session, its member and permissions */
        get: operations["dashboard_session"];
        /** Switch to another workspace */
        put: operations["dashboard_switch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/session/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm your password */
        post: operations["dashboard_reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["dashboard_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one of your sessions */
        delete: operations["dashboard_end_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/profile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change your name */
        put: operations["dashboard_profile"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password */
        post: operations["dashboard_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/scopes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scopes that a key can be granted */
        get: operations["dashboard_scopes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List keys */
        get: operations["dashboard_keys"];
        put?: never;
        /** Create a key */
        post: operations["dashboard_new_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a key */
        delete: operations["dashboard_revoke_key"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the usage of the request limit */
        get: operations["dashboard_usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List requests that were made with keys */
        get: operations["dashboard_requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/requests/{request_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a request by its X-Request-Id */
        get: operations["dashboard_request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members and whether they can sign in */
        get: operations["dashboard_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/members/{user_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a member's role */
        put: operations["dashboard_role"];
        post?: never;
        /** Remove a member */
        delete: operations["dashboard_remove_member"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List open invitations */
        get: operations["dashboard_invitations"];
        put?: never;
        /** Create an invitation link */
        post: operations["dashboard_invite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["dashboard_uninvite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/workspace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the workspace, its limit and its credits */
        get: operations["dashboard_workspace"];
        /** Update the settings of the workspace */
        put: operations["dashboard_set_workspace"];
        post?: never;
        /** Remove the workspace */
        delete: operations["dashboard_remove_workspace"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change the plan */
        put: operations["dashboard_plan"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the transactions of credits, newest first */
        get: operations["dashboard_credits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List custom fields */
        get: operations["dashboard_fields"];
        put?: never;
        /** Add a custom field */
        post: operations["dashboard_new_field"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/custom-fields/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a custom field */
        put: operations["dashboard_change_field"];
        post?: never;
        /** Remove a custom field and its values */
        delete: operations["dashboard_remove_field"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a reason or source */
        post: operations["dashboard_new_reason"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/reasons/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename or move a reason */
        put: operations["dashboard_change_reason"];
        post?: never;
        /** Stop offering a reason */
        delete: operations["dashboard_remove_reason"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/deal-pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a deal pipeline */
        post: operations["dashboard_new_pipeline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/deal-pipelines/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename or move a pipeline, or make it the default */
        put: operations["dashboard_change_pipeline"];
        post?: never;
        /** Remove a pipeline; its deals go to another */
        delete: operations["dashboard_remove_pipeline"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/deal-pipelines/{id}/stages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a stage */
        post: operations["dashboard_new_stage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/deal-stages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change or move a stage */
        put: operations["dashboard_change_stage"];
        post?: never;
        /** Remove a stage; its deals go to another */
        delete: operations["dashboard_remove_stage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/project-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a template */
        post: operations["dashboard_new_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/project-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Rename a template, or make it the default */
        put: operations["dashboard_change_template"];
        post?: never;
        /** Remove a template */
        delete: operations["dashboard_remove_template"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/project-templates/{id}/stages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a stage to a template */
        post: operations["dashboard_new_template_stage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/template-stages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change or move a template's stage */
        put: operations["dashboard_change_template_stage"];
        post?: never;
        /** Remove a template's stage */
        delete: operations["dashboard_remove_template_stage"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect an account of one's own */
        post: operations["dashboard_new_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** An account's caps, health and sends */
        get: operations["dashboard_account"];
        /** Change an account's name, limits or where it is */
        put: operations["dashboard_change_account"];
        post?: never;
        /** Remove an account */
        delete: operations["dashboard_remove_account"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/accounts/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Try to reach an account */
        post: operations["dashboard_test_account"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/oauth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the providers whose mailboxes can be connected by OAuth */
        get: operations["dashboard_oauth_providers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/oauth/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to connect a mailbox by OAuth, or to reconnect one */
        post: operations["dashboard_oauth_start"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/oauth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Connect the mailbox that the provider gave access to */
        post: operations["dashboard_oauth_callback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List one's views and shared ones */
        get: operations["dashboard_views"];
        put?: never;
        /** Save a view */
        post: operations["dashboard_new_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/views/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Change a view */
        put: operations["dashboard_change_view"];
        post?: never;
        /** Remove a view */
        delete: operations["dashboard_remove_view"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sequences/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What a step would say to a contact, and when */
        post: operations["dashboard_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/sequences/{id}/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** What is wrong with steps that are not saved yet */
        post: operations["dashboard_check_steps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/contacts/{id}/cv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A contact's CV, or null */
        get: operations["dashboard_cv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/messages/{id}/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Load the images of a mail */
        post: operations["dashboard_load_images"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/merges/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Who was merged, and until when it can be undone */
        get: operations["dashboard_merge"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Version, jobs, storage and nodes */
        get: operations["dashboard_system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Error: {
            error: components["schemas"]["ErrorInfo"];
        };
        ErrorInfo: {
            code: string;
            /** @description What is wrong, in words. */
            message: string;
            /** @description Every problem of a validation_error, or the figures of another error. */
            details?: components["schemas"]["Problem"][] | components["schemas"]["Figures"];
        };
        Problem: {
            /** @description The member or parameter, such as `emails[0].email`. */
            field: string;
            reason: string;
        };
        /** @description Which of them there are depends on the code. */
        Figures: {
            credit_type?: string;
            available?: number;
            required?: number;
            used?: number;
            limit?: number;
            /** @description Seconds. */
            retry_after?: number;
            /** @description The oldest sequence that the feed still has. */
            oldest?: string;
        };
        /** @description Paged by `offset` it has `total` and `offset`, paged by `cursor` it has `next_cursor`. */
        ListMeta: {
            /** @description How many records match; null with `count=none`. */
            total?: number | null;
            limit: number;
            offset?: number;
            has_more: boolean;
            /** @description The `cursor` of the next page; null after the last. */
            next_cursor?: string | null;
        };
        OffsetMeta: {
            total: number | null;
            limit: number;
            offset: number;
            has_more: boolean;
        };
        CursorMeta: {
            limit: number;
            has_more: boolean;
            next_cursor: string | null;
        };
        FeedMeta: {
            limit: number;
            has_more: boolean;
            /** @description What to give as `after` next. */
            last: string;
        };
        SyncMeta: {
            limit: number;
            has_more: boolean;
            next_cursor: string | null;
            /**
             * Format: date-time
             * @description The next updated_after, once the last page is through.
             */
            checkpoint: string;
        };
        Deleted: {
            /** @constant */
            deleted: true;
        };
        DashboardState: {
            setup_required: boolean;
            version: string;
        };
        SetupState: {
            valid: boolean;
        };
        Session: {
            user: {
                /** Format: uuid */
                user_id: string;
                first_name: string;
                last_name: string;
                email: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member";
            };
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            features: string[];
            workspaces: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {string} */
                role: "owner" | "admin" | "member";
            }[];
            workspace: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
                timezone: string;
                currency: string;
                /** @enum {string} */
                plan: "starter" | "growth" | "scale";
                /** @enum {string} */
                subscription: "active" | "none";
            };
            scopes: ("contacts:read" | "contacts:write" | "contacts:delete" | "companies:read" | "companies:write" | "companies:delete" | "deals:read" | "deals:write" | "deals:delete" | "notes:read" | "notes:write" | "tags:read" | "tags:write" | "tasks:read" | "tasks:write" | "enrichment:read" | "enrichment:write" | "messages:read" | "messages:write" | "projects:read" | "projects:write" | "pipeline:read" | "pipeline:write" | "sequences:read" | "sequences:write" | "sourcing:read" | "sourcing:write")[];
        };
        SetUp: {
            token: string;
            /** Format: idn-email */
            email: string;
            /** @description At least twelve characters, and not easy to guess. */
            password: string;
            first_name: string;
            last_name?: string | null;
            workspace_name: string;
            timezone?: string | null;
            currency?: string | null;
            /** @description Fills the workspace with demo data. Default: `false`. */
            demo_data?: boolean;
        };
        SignIn: {
            email: string;
            password: string;
        };
        SignedOut: {
            signed_out: boolean;
        };
        /** @description Who opened a link. */
        Guest: {
            email: string;
            workspace_name: string;
            first_name: string;
            last_name: string;
            /** @enum {string} */
            kind: "invitation" | "reset";
            signed_in: boolean;
        };
        Accept: {
            token: string;
            first_name?: string | null;
            last_name?: string | null;
            /** @description A new password, or that of the existing account with the invited address. Not needed with a session of that account. */
            password?: string | null;
        };
        Switch: {
            /** Format: uuid */
            workspace_id: string;
        };
        Reauthenticated: {
            /** Format: date-time */
            authenticated_until: string;
        };
        Again: {
            password: string;
        };
        OpenSession: {
            /** Format: uuid */
            id: string;
            /** @description The session of this request. */
            current: boolean;
            address: string;
            user_agent: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            last_used_at: string;
            /** Format: date-time */
            expires_at: string;
        };
        Profile: {
            first_name?: string;
            last_name?: string;
        };
        PasswordChanged: {
            changed: boolean;
        };
        NewPassword: {
            current: string;
            /** @description At least twelve characters, and not easy to guess. */
            new: string;
        };
        /** @description The permissions that a key can have. */
        ScopeList: {
            areas: {
                name: string;
                scopes: {
                    scope: string;
                    description: string;
                }[];
            }[];
            bundles: {
                name: string;
                description: string;
                scopes: string[];
            }[];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            last4: string;
            scopes: string[];
            owner: {
                /** Format: uuid */
                user_id: string;
                email: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** @description Valid for longer than the workspace now allows. */
            exceeds_longest_life: boolean;
        };
        CreatedKey: {
            /** Format: uuid */
            id: string;
            name: string;
            prefix: string;
            last4: string;
            scopes: string[];
            owner: {
                /** Format: uuid */
                user_id: string;
                email: string;
            };
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            /** Format: date-time */
            last_used_at: string | null;
            /** Format: date-time */
            revoked_at: string | null;
            /** @enum {string} */
            state: "active" | "expired" | "revoked";
            /** @description Valid for longer than the workspace now allows. */
            exceeds_longest_life: boolean;
            /** @description Not shown again. */
            key: string;
        };
        NewKey: {
            name: string;
            /** @description Scopes and bundles. */
            scopes: string[];
            /** Format: date-time */
            expires_at?: string | null;
        };
        Usage: {
            limit: number;
            remaining: number;
            /** Format: date-time */
            resets_at: string;
            /** @description Per hour. */
            points: {
                /** Format: date-time */
                at: string;
                requests: number;
                errors: number;
            }[];
        };
        LoggedRequest: {
            id: string;
            /** Format: date-time */
            at: string;
            method: string;
            path: string;
            query: string;
            operation: string;
            status: number;
            size: number | null;
            key: {
                /** Format: uuid */
                id: string;
                name: string | null;
                prefix: string;
                last4: string | null;
            };
            user: {
                /** Format: uuid */
                user_id: string;
                email: string | null;
                name: string;
            };
            time_ms: number;
        };
        WorkspaceMember: {
            /** Format: uuid */
            user_id: string;
            first_name: string;
            last_name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            joined_at: string;
            has_password: boolean;
            /** Format: date-time */
            last_seen_at: string | null;
        };
        /** @description A member of the workspace. */
        Member: {
            /** Format: uuid */
            user_id: string;
            first_name: string;
            last_name: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        NewRole: {
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        Invitation: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string;
            invited_by: {
                /** Format: uuid */
                user_id: string | null;
                email: string | null;
            };
        };
        InvitationLink: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
            /** Format: date-time */
            expires_at: string;
            /** @description Not shown again. */
            link: string;
        };
        NewInvitation: {
            /** Format: idn-email */
            email: string;
            /** @enum {string} */
            role: "owner" | "admin" | "member";
        };
        WorkspaceSettings: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            timezone: string;
            currency: string;
            /** @enum {string} */
            plan: "starter" | "growth" | "scale";
            /** @enum {string} */
            subscription: "active" | "none";
            requests_per_hour: number;
            longest_key_days: number | null;
            /** @description Whether a reply that asks to be removed suppresses its sender. */
            unsubscribe_by_reply: boolean;
            /** @description False for the only workspace of an installation. */
            removable: boolean;
            /** @description From the smallest to the largest. */
            plans: string[];
            credits: {
                sourcing: number;
                enrichment: number;
            };
            storage: {
                /** @description In bytes. */
                used: number;
                limit: number | null;
            };
        };
        NewSettings: {
            name?: string;
            timezone?: string;
            currency?: string;
            /** @description The longest lifetime of new API keys; null means no limit. */
            longest_key_days?: number | null;
            /** @description Whether a reply that asks to be removed suppresses its sender. */
            unsubscribe_by_reply?: boolean;
        };
        Removal: {
            /** @description The name of the workspace, as a protection against mistakes. */
            name: string;
        };
        NewPlan: {
            plan: string;
        };
        CreditEntry: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "sourcing" | "enrichment";
            /** @description Negative if credits were spent. */
            amount: number;
            balance: number;
            reason: string;
            actor: string;
            /** Format: uuid */
            record_id: string | null;
            /**
             * Format: uuid
             * @description The entry that it refunds.
             */
            refunds: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description A field that the workspace defines. */
        CustomField: {
            /** Format: uuid */
            readonly id: string;
            /** @description The member of `custom_data`. */
            readonly key: string;
            label: string;
            /** @enum {string} */
            readonly type: "text" | "number" | "boolean" | "date" | "select" | "multi_select" | "url";
            options: {
                value: string;
                label: string;
            }[];
            /** @description Required when a record is created, and can't be removed later. */
            is_required: boolean;
            position: number;
        };
        NewField: {
            key: string;
            /** @enum {string} */
            type: "text" | "number" | "boolean" | "date" | "select" | "multi_select" | "url";
            label?: string | null;
            options?: {
                value: string;
                label: string;
            }[] | null;
            is_required?: boolean | null;
            position?: number | null;
        };
        FieldChange: {
            label?: string | null;
            options?: {
                value: string;
                label: string;
                /** @description The current value of the option, if `value` is a new one: records with the current value get the new one. */
                previous_value?: string | null;
            }[] | null;
            is_required?: boolean | null;
            position?: number | null;
        };
        /** @description Why a candidate was rejected or a deal closed or lost, or where a deal came from. */
        Reason: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly kind: "rejection" | "close" | "loss" | "source";
            name: string;
            /** @description Its position among those of its kind, from 0. */
            position: number;
        };
        NewReason: {
            /** @enum {string} */
            kind: "rejection" | "close" | "loss" | "source";
            name: string;
        };
        ReasonChange: {
            name?: string | null;
            position?: number | null;
        };
        /** @description The stages that deals go through, in their order. */
        DealPipeline: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description The pipeline of deals that are created without one. */
            is_default: boolean;
            position: number;
            stages: {
                /** Format: uuid */
                id: string;
                name: string;
                position: number;
                /** @description The probability of a new deal in this stage, in percent. */
                probability: number | null;
                color: string | null;
                /** @description Open deals that are not archived. */
                deals_count: number;
                /** @description What they come to, by currency. */
                deals_amount: {
                    currency: string;
                    amount: number;
                    expected_amount: number;
                }[];
            }[];
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        NewPipeline: {
            name: string;
            /** @description The four default stages if absent. */
            stages?: {
                name: string;
                probability?: number | null;
                color?: string | null;
                position?: number | null;
            }[] | null;
        };
        PipelineChange: {
            name?: string | null;
            position?: number | null;
            /** @description True makes it the default pipeline. */
            is_default?: boolean | null;
        };
        NewStage: {
            name: string;
            probability?: number | null;
            color?: string | null;
            position?: number | null;
        };
        StageChange: {
            name?: string | null;
            probability?: number | null;
            color?: string | null;
            position?: number | null;
        };
        /** @description The stages of new projects. */
        ProjectTemplate: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /** @description Used for projects that are created without a template. */
            is_default: boolean;
            /** @description In the order of `position`. */
            stages: {
                /** Format: uuid */
                readonly id: string;
                name: string;
                readonly position: number;
                /** @enum {string} */
                readonly system_category: "sourced" | "contacted" | "replied" | "interview" | "offer" | "hired" | "rejected" | "other";
                color: string;
            }[];
        };
        NewTemplate: {
            name: string;
            /** @description The stages of the default template if absent. */
            stages?: {
                name: string;
                /** @enum {string|null} */
                system_category?: "sourced" | "contacted" | "replied" | "interview" | "offer" | "hired" | "rejected" | "other" | null;
                color?: string | null;
                position?: number | null;
            }[] | null;
        };
        TemplateChange: {
            name?: string | null;
            /** @description True makes it the default template. */
            is_default?: boolean | null;
        };
        NewTemplateStage: {
            name: string;
            /** @enum {string|null} */
            system_category?: "sourced" | "contacted" | "replied" | "interview" | "offer" | "hired" | "rejected" | "other" | null;
            color?: string | null;
            position?: number | null;
        };
        TemplateStageChange: {
            name?: string | null;
            /** @enum {string|null} */
            system_category?: "sourced" | "contacted" | "replied" | "interview" | "offer" | "hired" | "rejected" | "other" | null;
            color?: string | null;
            position?: number | null;
        };
        AccountDetail: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /** @enum {string} */
            provider: "email" | "network" | "chat";
            /** @enum {string|null} */
            license_type: "classic" | "sales_navigator" | "recruiter" | null;
            readonly api_status: {
                /** @enum {string} */
                classic: "active" | "inactive";
                /** @enum {string} */
                sales_navigator: "active" | "inactive";
                /** @enum {string} */
                recruiter: "active" | "inactive";
            };
            /** @enum {string} */
            readonly status: "connected" | "disconnected" | "error";
            /** @description What is wrong with it, and what to do. */
            readonly status_reason: string | null;
            /**
             * Format: uuid
             * @description The member whose account it is.
             */
            readonly owner_id: string;
            /**
             * @description Who sees its conversations and messages: all members (`workspace`), or its owner alone (`owner`).
             * @enum {string}
             */
            visibility: "workspace" | "owner";
            /**
             * Format: idn-email
             * @description What its messages are from.
             */
            address: string | null;
            /** @description Most messages in any 24 hours; none is set unless given. */
            daily_limit: number | null;
            /** @description Between two messages; none is kept unless given. */
            min_gap_minutes: number | null;
            /** @description Most messages on its first day, twice as many on its second, three times on its third … up to `daily_limit`. */
            ramp_up: number | null;
            /** @description Most searches in 24 hours; none is set unless given. */
            search_limit: number | null;
            /** @description At the end of its mails, above the quoted text of an answer. HTML when it begins with `<`, else plain text. */
            signature: string | null;
            /**
             * @description `auto`: a sent mail that the server does not put into the Sent folder itself is put there. `never`: it is not.
             * @enum {string}
             */
            file_sent: "auto" | "never";
            /** @description Why sent mails can't be put into the Sent folder. Sending goes on. */
            readonly filing_problem: string | null;
            /** @description Whether messages arrive through it, too. */
            readonly receives: boolean;
            /**
             * Format: date-time
             * @description When it was last looked at for new messages.
             */
            readonly last_sync_at: string | null;
            /** @description Mails in the folder that is read: as many as are stored and unstored. */
            readonly mails_in_folder: number;
            readonly mails_stored: number;
            /** @description Listed with their reasons at `/connected-accounts/{id}/unstored`. */
            readonly mails_unstored: number;
            /** @description While the account is behind: mails in the folder that were not read yet. */
            readonly mails_waiting: number;
            /**
             * Format: date-time
             * @description Since when mails wait, if they have for more than a minute; null while the account keeps up.
             */
            readonly behind_since: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Without its secrets, like `imap` and `url`. */
            smtp: string | null;
            imap: string | null;
            url: string | null;
            sent_last_24_hours: number;
            /** @description Most messages today. */
            cap_today: number | null;
            /** Format: date-time */
            waits_until: string | null;
            waits_for: string | null;
            /** @description Messages of which nobody knows whether they were sent. */
            unknown_outcomes: number;
            /** @description The provider whose OAuth tokens it signs in with. */
            oauth_provider: string | null;
            /** @description The words of the mail server or provider; only for admins. */
            status_detail?: string | null;
        };
        NewAccount: {
            /** @enum {string} */
            provider: "email" | "network" | "chat";
            name: string;
            /** @enum {string} */
            visibility?: "workspace" | "owner";
            /** Format: idn-email */
            address?: string | null;
            /** @description smtp://user:password@host:port?tls=none|starttls|tls */
            smtp?: string | null;
            /** @description imap://user:password@host:port?tls=tls */
            imap?: string | null;
            url?: string | null;
            token?: string | null;
            /** @enum {string|null} */
            license_type?: "classic" | "sales_navigator" | "recruiter" | null;
            daily_limit?: number | null;
            min_gap_minutes?: number | null;
            ramp_up?: number | null;
            /**
             * @description Default: `"auto"`.
             * @enum {string}
             */
            file_sent?: "auto" | "never";
            signature?: string | null;
            /** @description False saves it without a test. Default: `true`. */
            test?: boolean;
        };
        AccountChange: {
            name?: string;
            /**
             * @description Its owner alone can change it.
             * @enum {string}
             */
            visibility?: "workspace" | "owner";
            smtp?: string | null;
            imap?: string | null;
            url?: string | null;
            token?: string | null;
            daily_limit?: number | null;
            min_gap_minutes?: number | null;
            ramp_up?: number | null;
            /** @enum {string} */
            file_sent?: "auto" | "never";
            signature?: string | null;
            /** @description Default: `true`. */
            test?: boolean;
        };
        OauthProvider: {
            name: string;
            /** @description Its name on a button. */
            title: string;
            /** @description Whether the user gives the address of the mailbox, because the provider does not say it. */
            needs_address: boolean;
        };
        OauthPage: {
            url: string;
        };
        OauthStart: {
            /** @description The name of a provider that the operator set up. */
            provider: string;
            /**
             * Format: uuid
             * @description The account to reconnect; a new one is connected without it.
             */
            account_id?: string | null;
            /** @description The sender name of a new account; the name of the user if absent. */
            name?: string | null;
            /**
             * Format: idn-email
             * @description The address of the mailbox; the one that the provider says if absent.
             */
            address?: string | null;
        };
        OauthCallback: {
            /** @description Both come from the provider, in the address of the page that it sends the user to. */
            code: string;
            state: string;
        };
        /** @description A saved view of a collection. */
        View: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /** @enum {string} */
            collection: "contacts" | "companies" | "deals" | "projects" | "entries" | "tasks" | "sequences" | "conversations" | "enrollments" | "enrichment" | "requests";
            /** @description All members of the workspace see it. */
            shared: boolean;
            /** @description Free-form state of the dashboard. */
            state: {
                [key: string]: unknown;
            };
            /** Format: uuid */
            readonly owner_id: string;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        NewView: {
            name: string;
            /** @enum {string} */
            collection: "contacts" | "companies" | "deals" | "projects" | "entries" | "tasks" | "sequences" | "conversations" | "enrollments" | "enrichment" | "requests";
            /** @description All members of the workspace see it. Default: `false`. */
            shared?: boolean;
            /** @description Free-form state of the dashboard. */
            state: {
                [key: string]: unknown;
            };
        };
        ViewChange: {
            name?: string;
            /** @enum {string} */
            collection?: "contacts" | "companies" | "deals" | "projects" | "entries" | "tasks" | "sequences" | "conversations" | "enrollments" | "enrichment" | "requests";
            /** @description All members of the workspace see it. Default: `false`. */
            shared?: boolean;
            /** @description Free-form state of the dashboard. */
            state?: {
                [key: string]: unknown;
            };
        };
        StepPreview: {
            subject: string | null;
            text: string | null;
            html: string | null;
            /** @description It continues the thread of an earlier email. */
            answers: boolean;
            sender: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            problems: {
                field: string;
                reason: string;
            }[];
            /** @description Why nothing would be sent. */
            blocked: string | null;
            /** Format: date-time */
            send_at: string | null;
            timezone: string | null;
            rules: {
                rule: string;
                reason: string;
                /** Format: date-time */
                at: string;
            }[];
        };
        Preview: {
            /** Format: uuid */
            contact_id: string;
            /**
             * Format: uuid
             * @description The first account that may send it if absent.
             */
            sender_id?: string | null;
            /** @description In the form in which a sequence is changed; the stored steps if absent. */
            steps?: {
                /**
                 * Format: uuid
                 * @description Sent back with a change, the step stays the same one.
                 */
                id?: string;
                /** @description By which other steps of the same request name it. */
                client_key?: string | null;
                /** @enum {string} */
                type: "email" | "network_connect" | "network_message" | "network_inmail" | "network_visit" | "chat" | "call" | "task";
                name?: string | null;
                /** @description Needed by an email that starts a thread; one without it answers in the thread. */
                subject?: string | null;
                /** @description HTML when it begins with `<`, else plain text. */
                body?: string | null;
                /** @description Further recipients of an email. */
                cc?: string[];
                /** @description Further recipients of an email, whom nobody else can see. */
                bcc?: string[];
                /**
                 * Format: idn-email
                 * @description Where answers to an email go; to the account unless given.
                 */
                reply_to?: string | null;
                /** @description Ids of files of contacts and projects, for an email: 20 MB in all. */
                attachments?: string[];
                /** @description From 2 to 5 texts that are compared, for a message that is sent automatically; the step has no `subject` and `body` then. Each contact gets one of them. */
                variants?: {
                    /**
                     * Format: uuid
                     * @description Sent back with a change, the variant stays the same one and keeps its results.
                     */
                    id?: string;
                    name?: string | null;
                    /** @description How often contacts get it, in proportion to the weights of the other variants. Default: `1`. */
                    weight?: number;
                    /** @description As in a step. */
                    subject?: string | null;
                    /** @description As in a step. */
                    body?: string | null;
                }[];
                /** @description Kept and returned as sent. */
                content_template?: {
                    [key: string]: unknown;
                } | null;
                delay_days?: number;
                delay_hours?: number;
                /**
                 * @description Default: `"automatic"`.
                 * @enum {string}
                 */
                execution_mode?: "automatic" | "manual";
                /** @description Connected accounts; those of the sequence's owners unless given. */
                sender_ids?: string[];
                /** @description The `client_key` of another step in the same request, or the id of a stored one. */
                parent_step_id?: string | null;
                branch_condition?: {
                    /** @enum {string} */
                    type: "replied" | "not_replied" | "opened" | "clicked" | "invite_accepted" | "invite_not_accepted" | "has_email" | "has_phone" | "has_network_profile" | "otherwise";
                    /** @description How long to wait for it. */
                    after_days?: number;
                } | null;
                /** @description Contact filters as in a list: `{"title": "ilike.%cto%"}`. A step for whose contact they don't hold is skipped. */
                entry_conditions?: {
                    [key: string]: unknown;
                } | null;
            }[] | null;
            /** @description Its index in the steps, from 0. */
            step: number;
            /** @description Of a step with variants: the index of one, from 0; the first if absent. */
            variant?: number | null;
        };
        CheckedSteps: {
            problems: {
                field: string;
                reason: string;
            }[];
        };
        DraftSteps: {
            /** @description In the form in which a sequence is changed. */
            steps: {
                /**
                 * Format: uuid
                 * @description Sent back with a change, the step stays the same one.
                 */
                id?: string;
                /** @description By which other steps of the same request name it. */
                client_key?: string | null;
                /** @enum {string} */
                type: "email" | "network_connect" | "network_message" | "network_inmail" | "network_visit" | "chat" | "call" | "task";
                name?: string | null;
                /** @description Needed by an email that starts a thread; one without it answers in the thread. */
                subject?: string | null;
                /** @description HTML when it begins with `<`, else plain text. */
                body?: string | null;
                /** @description Further recipients of an email. */
                cc?: string[];
                /** @description Further recipients of an email, whom nobody else can see. */
                bcc?: string[];
                /**
                 * Format: idn-email
                 * @description Where answers to an email go; to the account unless given.
                 */
                reply_to?: string | null;
                /** @description Ids of files of contacts and projects, for an email: 20 MB in all. */
                attachments?: string[];
                /** @description From 2 to 5 texts that are compared, for a message that is sent automatically; the step has no `subject` and `body` then. Each contact gets one of them. */
                variants?: {
                    /**
                     * Format: uuid
                     * @description Sent back with a change, the variant stays the same one and keeps its results.
                     */
                    id?: string;
                    name?: string | null;
                    /** @description How often contacts get it, in proportion to the weights of the other variants. Default: `1`. */
                    weight?: number;
                    /** @description As in a step. */
                    subject?: string | null;
                    /** @description As in a step. */
                    body?: string | null;
                }[];
                /** @description Kept and returned as sent. */
                content_template?: {
                    [key: string]: unknown;
                } | null;
                delay_days?: number;
                delay_hours?: number;
                /**
                 * @description Default: `"automatic"`.
                 * @enum {string}
                 */
                execution_mode?: "automatic" | "manual";
                /** @description Connected accounts; those of the sequence's owners unless given. */
                sender_ids?: string[];
                /** @description The `client_key` of another step in the same request, or the id of a stored one. */
                parent_step_id?: string | null;
                branch_condition?: {
                    /** @enum {string} */
                    type: "replied" | "not_replied" | "opened" | "clicked" | "invite_accepted" | "invite_not_accepted" | "has_email" | "has_phone" | "has_network_profile" | "otherwise";
                    /** @description How long to wait for it. */
                    after_days?: number;
                } | null;
                /** @description Contact filters as in a list: `{"title": "ilike.%cto%"}`. A step for whose contact they don't hold is skipped. */
                entry_conditions?: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        ContactCv: {
            /** Format: uuid */
            contact_id: string;
            /**
             * Format: uri
             * @description Opens the document with the same key.
             */
            url: string;
            filename: string;
            /** @enum {string} */
            content_type: "application/pdf" | "application/msword" | "application/vnd.openxmlformats-officedocument.wordprocessingml.document" | "application/vnd.oasis.opendocument.text" | "application/rtf" | "text/plain";
            /** @description In bytes. */
            size: number;
            /** Format: date-time */
            updated_at: string;
        } | null;
        MailImages: {
            images: {
                /** @description As in the `data-src` of the message's HTML. */
                address: string;
                /** @description A `data:` URL; `null` if the image can't be loaded. */
                content: string | null;
            }[];
        };
        MergeDetails: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            collection: "contacts" | "companies";
            /** Format: uuid */
            into: string;
            from: {
                /** Format: uuid */
                id: string;
                /** @description Before the merge. */
                name: string;
            }[];
            /** Format: date-time */
            created_at: string;
            is_undone: boolean;
            /** Format: date-time */
            undo_until: string;
        };
        System: {
            version: string;
            engine: string;
            jobs: {
                kind: string;
                waiting: number;
                /** Format: date-time */
                due_at: string;
                attempts: number;
                error: string | null;
            }[];
            lag_ms: number;
            storage: {
                database_bytes: number | null;
            };
            nodes: {
                id: string;
                version: string;
                /** Format: date-time */
                started_at: string;
                /** Format: date-time */
                seen_at: string;
            }[];
        };
    };
    responses: {
        /** @description An error */
        Error: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description The size of a page. */
        limit: number;
        /** @description How many records to skip. */
        offset: number;
        /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
        cursor: string;
        /** @description `none` leaves out `meta.total`, which is faster. */
        count: "exact" | "none";
        /** @description The format of the file. */
        format: "csv" | "ndjson";
        /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
        or: string | string[];
        /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
        and: string | string[];
        /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
        "not.or": string | string[];
        /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
        "not.and": string | string[];
        /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
        updated_after: string;
        /** @description Only records that last changed until this RFC 3339 time. */
        updated_before: string;
        /** @description Only records of this time or later: an RFC 3339 time or a date. */
        created_after: string;
        /** @description Only records of before this time: an RFC 3339 time or a date. */
        created_before: string;
        /** @description Words that must all occur, whatever their accents and case. */
        search: string;
        /** @description The last id that the client has seen: the stream continues after it. */
        "Last-Event-ID": string;
        /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
        "If-None-Match": string;
        /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
        "If-Match": string;
        /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
        "Idempotency-Key": string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    dashboard_state: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DashboardState"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_setup_state: {
        parameters: {
            query: {
                /** @description null */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SetupState"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUp"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_sign_out: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SignedOut"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_guest: {
        parameters: {
            query: {
                /** @description null */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Guest"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_accept: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Accept"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_switch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Switch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_reauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Again"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reauthenticated"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_sessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OpenSession"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_end_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_profile: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Profile"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Session"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["PasswordChanged"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_scopes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ScopeList"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_keys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_key: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreatedKey"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_revoke_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_usage: {
        parameters: {
            query?: {
                /** @description null */
                hours?: number;
                /** @description Only of this key. */
                key_id?: string;
                /** @description Of all users' keys; requires an admin. */
                all?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Usage"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_requests: {
        parameters: {
            query?: {
                /** @description A status, or a class of them: `404`, `4xx`. */
                status?: string;
                /** @description null */
                operation?: string;
                /** @description null */
                method?: string;
                /** @description null */
                key_id?: string;
                /** @description null */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoggedRequest"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the request. */
                request_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["LoggedRequest"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_members: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceMember"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_role: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the related record. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_member: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the related record. */
                user_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_invitations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Invitation"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_invite: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewInvitation"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["InvitationLink"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_uninvite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceSettings"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_set_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSettings"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceSettings"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_workspace: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Removal"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_plan: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlan"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WorkspaceSettings"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_credits: {
        parameters: {
            query?: {
                /** @description null */
                kind?: "sourcing" | "enrichment";
                /** @description null */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CreditEntry"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_fields: {
        parameters: {
            query: {
                /** @description null */
                object: "contacts" | "companies";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_field: {
        parameters: {
            query: {
                /** @description null */
                object: "contacts" | "companies";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewField"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FieldChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_field: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_reason: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReason"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reason"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_reason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReasonChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reason"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_reason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_pipeline: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPipeline"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_pipeline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PipelineChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_pipeline: {
        parameters: {
            query?: {
                /** @description null */
                move_to?: string;
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_stage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewStage"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_stage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StageChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_stage: {
        parameters: {
            query?: {
                /** @description null */
                move_to?: string;
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_template: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTemplate"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectTemplate"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectTemplate"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_template: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_template_stage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewTemplateStage"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectTemplate"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_template_stage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TemplateStageChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectTemplate"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_template_stage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_account: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewAccount"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccountChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_test_account: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_oauth_providers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OauthProvider"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_oauth_start: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OauthStart"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["OauthPage"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_oauth_callback: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OauthCallback"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AccountDetail"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_views: {
        parameters: {
            query?: {
                /** @description null */
                collection?: "contacts" | "companies" | "deals" | "projects" | "entries" | "tasks" | "sequences" | "conversations" | "enrollments" | "enrichment" | "requests";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["View"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_new_view: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewView"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["View"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_change_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewChange"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["View"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_remove_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_preview: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Preview"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StepPreview"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_check_steps: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DraftSteps"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CheckedSteps"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_cv: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ContactCv"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_load_images: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MailImages"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_merge: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MergeDetails"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
    dashboard_system: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["System"];
                    };
                };
            };
            default: components["responses"]["Error"];
        };
    };
}
