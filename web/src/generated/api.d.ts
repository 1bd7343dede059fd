// Made by `npm run generate` from the API documents. Do not edit.

export interface paths {
    "/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List contacts
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_contacts"];
        put?: never;
        /**
         * Create a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        post: operations["create_contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search contacts
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        post: operations["search_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a contact
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["get_contact"];
        /**
         * Update a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        put: operations["update_contact"];
        post?: never;
        /**
         * Archive a contact, or erase it
         * @description Required scope: `contacts:delete`. Plan: starter or higher.
         */
        delete: operations["archive_contact"];
        options?: never;
        head?: never;
        /**
         * Update a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        patch: operations["update_contact_patch"];
        trace?: never;
    };
    "/contacts/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a tag to a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        post: operations["tag_contact"];
        /**
         * Remove a tag from a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        delete: operations["untag_contact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a contact and of its related records
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["contact_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/cv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a contact's CV
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["get_contact_cv"];
        put?: never;
        /**
         * Upload or replace a contact's CV
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        post: operations["upload_contact_cv"];
        /**
         * Delete a contact's CV
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        delete: operations["delete_contact_cv"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/cv/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a contact's CV
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["download_contact_cv"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a contact
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_contact_files"];
        put?: never;
        /**
         * Attach a file to a contact
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        post: operations["upload_contact_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a file
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["get_contact_file"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        delete: operations["delete_contact_file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["download_contact_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a project
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["list_project_files"];
        put?: never;
        /**
         * Attach a file to a project
         * @description Required scope: `projects:write`. Plan: starter or higher.
         */
        post: operations["upload_project_file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the metadata of a file
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["get_project_file"];
        put?: never;
        post?: never;
        /**
         * Delete a file
         * @description Required scope: `projects:write`. Plan: starter or higher.
         */
        delete: operations["delete_project_file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/files/{file_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["download_project_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List companies
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["list_companies"];
        put?: never;
        /**
         * Create a company
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        post: operations["create_company"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search companies
         * @description Required scope: `companies:read`. Plan: starter or higher.
         */
        post: operations["search_companies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a company
         * @description Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["get_company"];
        /**
         * Update a company
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        put: operations["update_company"];
        post?: never;
        /**
         * Archive a company, or erase it
         * @description Required scope: `companies:delete`. Plan: starter or higher.
         */
        delete: operations["archive_company"];
        options?: never;
        head?: never;
        /**
         * Update a company
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        patch: operations["update_company_patch"];
        trace?: never;
    };
    "/companies/{id}/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach a tag to a company
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        post: operations["tag_company"];
        /**
         * Remove a tag from a company
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        delete: operations["untag_company"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a company's contacts
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_company_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a company and of its related records
         * @description Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["company_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deals
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["list_deals"];
        put?: never;
        /**
         * Create a deal
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        post: operations["create_deal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deal with its company, stage and contacts
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["get_deal"];
        /**
         * Update a deal
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        put: operations["update_deal"];
        post?: never;
        /**
         * Archive a deal
         * @description Required scope: `deals:delete`. Plan: starter or higher.
         */
        delete: operations["archive_deal"];
        options?: never;
        head?: never;
        /**
         * Update a deal
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        patch: operations["update_deal_patch"];
        trace?: never;
    };
    "/deals/{id}/stage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Move an open deal to another stage of its pipeline
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        put: operations["move_deal"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Move an open deal to another stage of its pipeline
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        patch: operations["move_deal_patch"];
        trace?: never;
    };
    "/deals/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Close a deal as won, lost or disqualified
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        post: operations["close_deal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a closed deal again
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        post: operations["reopen_deal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the contacts of a deal
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_deal_contacts"];
        put?: never;
        /**
         * Link a contact to a deal
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        post: operations["link_deal_contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}/contacts/{contact_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a contact from a deal
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        delete: operations["unlink_deal_contact"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a deal and of its related records
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["deal_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/deals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's deals
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["list_contact_deals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}/deals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a company's deals
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["list_company_deals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deal-pipelines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the deal pipelines with their stages
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["list_deal_pipelines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deal-pipelines/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deal pipeline with its stages
         * @description Required scope: `deals:read`. Plan: starter or higher.
         */
        get: operations["get_deal_pipeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List possible duplicates of contacts
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_duplicate_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List possible duplicates of companies
         * @description Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["list_duplicate_companies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge contacts into one
         * @description Required scopes: `contacts:write` and `contacts:delete`. Plan: starter or higher.
         */
        post: operations["merge_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/merge/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a merge of contacts
         * @description Required scopes: `contacts:write` and `contacts:delete`. Plan: starter or higher.
         */
        post: operations["undo_contact_merge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge companies into one
         * @description Required scopes: `companies:write` and `companies:delete`. Plan: starter or higher.
         */
        post: operations["merge_companies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/merge/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo a merge of companies
         * @description Required scopes: `companies:write` and `companies:delete`. Plan: starter or higher.
         */
        post: operations["undo_company_merge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/erased-addresses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Allow an address that was erased to be stored again
         * @description Required scope: `contacts:delete`. Plan: starter or higher.
         */
        delete: operations["allow_erased_address"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["list_projects"];
        put?: never;
        /**
         * Create a project
         * @description Required scope: `projects:write`. Plan: starter or higher.
         */
        post: operations["create_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project and its pipeline
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["get_project"];
        /**
         * Update a project
         * @description Required scope: `projects:write`. Plan: starter or higher.
         */
        put: operations["update_project"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update a project
         * @description Required scope: `projects:write`. Plan: starter or higher.
         */
        patch: operations["update_project_patch"];
        trace?: never;
    };
    "/projects/{id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the events of a project and of its related records
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["project_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the projects for a company
         * @description Required scope: `projects:read`. Plan: starter or higher.
         */
        get: operations["list_company_projects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/project-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the templates of projects
         * @description Any key may call it. Plan: starter or higher.
         */
        get: operations["list_project_templates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the candidates in a project
         * @description Required scope: `pipeline:read`. Plan: starter or higher.
         */
        get: operations["list_project_entries"];
        put?: never;
        /**
         * Add a contact to a project
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        post: operations["add_project_entry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/entries/{entry_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a candidate in a project
         * @description Required scope: `pipeline:read`. Plan: starter or higher.
         */
        get: operations["get_project_entry"];
        /**
         * Move, rate or reject a candidate in a project
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        put: operations["update_project_entry"];
        post?: never;
        /**
         * Remove a candidate from a project
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        delete: operations["delete_project_entry"];
        options?: never;
        head?: never;
        /**
         * Move, rate or reject a candidate in a project
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        patch: operations["update_project_entry_patch"];
        trace?: never;
    };
    "/pipeline-entries/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a pipeline entry
         * @description Required scope: `pipeline:read`. Plan: starter or higher.
         */
        get: operations["get_entry"];
        /**
         * Move, rate or reject a candidate
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        put: operations["update_entry"];
        post?: never;
        /**
         * Remove a candidate
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        delete: operations["delete_entry"];
        options?: never;
        head?: never;
        /**
         * Move, rate or reject a candidate
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        patch: operations["update_entry_patch"];
        trace?: never;
    };
    "/contacts/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's pipeline entries
         * @description Required scope: `pipeline:read`. Plan: starter or higher.
         */
        get: operations["list_contact_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List changed pipeline entries, up to a checkpoint
         * @description Required scope: `pipeline:read`. Plan: starter or higher.
         */
        get: operations["sync_entries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's notes
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["list_contact_notes"];
        put?: never;
        /**
         * Add a note to a contact
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        post: operations["create_contact_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a company's notes
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["list_company_notes"];
        put?: never;
        /**
         * Add a note to a company
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        post: operations["create_company_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a deal's notes
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["list_deal_notes"];
        put?: never;
        /**
         * Add a note to a deal
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        post: operations["create_deal_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's notes
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["list_project_notes"];
        put?: never;
        /**
         * Add a note to a project
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        post: operations["create_project_note"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notes of all records
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["list_notes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/notes/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a note
         * @description Required scope: `notes:read`. Plan: starter or higher.
         */
        get: operations["get_note"];
        /**
         * Update a note
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        put: operations["update_note"];
        post?: never;
        /**
         * Delete a note
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        delete: operations["delete_note"];
        options?: never;
        head?: never;
        /**
         * Update a note
         * @description Required scope: `notes:write`. Plan: starter or higher.
         */
        patch: operations["update_note_patch"];
        trace?: never;
    };
    "/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tasks
         * @description Required scope: `tasks:read`. Plan: starter or higher.
         */
        get: operations["list_tasks"];
        put?: never;
        /**
         * Create a task
         * @description Required scope: `tasks:write`. Plan: starter or higher.
         */
        post: operations["create_task"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a task
         * @description Required scope: `tasks:read`. Plan: starter or higher.
         */
        get: operations["get_task"];
        /**
         * Update a task
         * @description Required scope: `tasks:write`. Plan: starter or higher.
         */
        put: operations["update_task"];
        post?: never;
        /**
         * Delete a task
         * @description Required scope: `tasks:write`. Plan: starter or higher.
         */
        delete: operations["delete_task"];
        options?: never;
        head?: never;
        /**
         * Update a task
         * @description Required scope: `tasks:write`. Plan: starter or higher.
         */
        patch: operations["update_task_patch"];
        trace?: never;
    };
    "/contacts/{id}/tasks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's tasks
         * @description Required scope: `tasks:read`. Plan: starter or higher.
         */
        get: operations["list_contact_tasks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sequences
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["list_sequences"];
        put?: never;
        /**
         * Create a draft sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["create_sequence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a sequence with its steps
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["get_sequence"];
        /**
         * Update a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        put: operations["update_sequence"];
        post?: never;
        /**
         * Archive a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        delete: operations["archive_sequence"];
        options?: never;
        head?: never;
        /**
         * Update a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        patch: operations["update_sequence_patch"];
        trace?: never;
    };
    "/sequences/{id}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start or resume a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["start_sequence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["pause_sequence"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/projects/{id}/sequences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a project's sequences and its default one
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["list_project_sequences"];
        /**
         * Set a project's default sequence
         * @description Required scope: `projects:write`. Plan: growth or higher.
         */
        put: operations["set_default_sequence"];
        post?: never;
        /**
         * Remove a project's default sequence
         * @description Required scope: `projects:write`. Plan: growth or higher.
         */
        delete: operations["remove_default_sequence"];
        options?: never;
        head?: never;
        /**
         * Set a project's default sequence
         * @description Required scope: `projects:write`. Plan: growth or higher.
         */
        patch: operations["set_default_sequence_patch"];
        trace?: never;
    };
    "/sequences/{id}/steps/{step_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an email step as a test to a member, filled in for a contact
         * @description Required scopes: `sequences:write` and `contacts:read`. Plan: growth or higher.
         */
        post: operations["test_step"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/enroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enroll contacts in a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["enroll_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/unenroll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove contacts from a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["unenroll_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the enrollments of a sequence
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["list_sequence_enrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the results of each step of a sequence
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["sequence_stats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/enrollments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's enrollments
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["list_contact_enrollments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an enrollment
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["get_enrollment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause an enrollment
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["pause_enrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused enrollment
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["resume_enrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry a failed enrollment
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["retry_enrollment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retry failed enrollments of a sequence
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["retry_enrollments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sequences/{id}/enrollments/upgrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move open enrollments of a sequence to its present steps
         * @description Required scope: `sequences:write`. Plan: growth or higher.
         */
        post: operations["upgrade_enrollments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve messages with an unknown outcome
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["resolve_messages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrollments/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain when the next step is sent, or why not
         * @description Required scope: `sequences:read`. Plan: growth or higher.
         */
        get: operations["explain_enrollment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/enrich": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find a contact's addresses
         * @description Required scope: `enrichment:write`. Plan: scale or higher. It costs credits; `402` if too few are left.
         */
        post: operations["enrich_contact"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrichment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List enrichment requests
         * @description Required scope: `enrichment:read`. Plan: scale or higher.
         */
        get: operations["list_enrichment_requests"];
        put?: never;
        /**
         * Find the addresses of up to 100 contacts
         * @description Required scope: `enrichment:write`. Plan: scale or higher. It costs credits; `402` if too few are left.
         */
        post: operations["enrich_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/enrichment/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an enrichment request
         * @description Required scope: `enrichment:read`. Plan: scale or higher.
         */
        get: operations["get_enrichment_request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connected-accounts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List connected accounts
         * @description Required scope: `sourcing:read` or `messages:read`. Plan: growth or higher.
         */
        get: operations["list_connected_accounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connected-accounts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a connected account
         * @description Required scope: `sourcing:read` or `messages:read`. Plan: growth or higher.
         */
        get: operations["get_connected_account"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connected-accounts/{id}/unstored": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the mails in an account's folder that were not stored, and why
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_unstored_mails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/connected-accounts/{id}/domain-check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check the DNS records of an email account's domain, and say which to add
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["check_sending_domain"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List conversations
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a conversation
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["get_conversation"];
        /**
         * Archive, assign or snooze a conversation
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        put: operations["update_conversation"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Archive, assign or snooze a conversation
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        patch: operations["update_conversation_patch"];
        trace?: never;
    };
    "/conversations/{id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation's messages as read
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["read_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/unread": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a conversation as unread
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["unread_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/{id}/conversations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a contact's conversations
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_contact_conversations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/conversations/{id}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a conversation's messages
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_messages"];
        put?: never;
        /**
         * Reply in a conversation
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["reply_in_conversation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages of all conversations
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_all_messages"];
        put?: never;
        /**
         * Send a message to a contact
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["send_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["get_message"];
        /**
         * Send a queued message at another time
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        put: operations["update_message"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Send a queued message at another time
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        patch: operations["update_message_patch"];
        trace?: never;
    };
    "/messages/{id}/attachments/{attachment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download a file that came with a message
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["download_attachment"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a queued message
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["cancel_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/message-drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own drafts of messages
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_message_drafts"];
        put?: never;
        /**
         * Save the draft of a message to a contact
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["save_message_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/message-drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the draft of a message
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["get_message_draft"];
        put?: never;
        post?: never;
        /**
         * Delete the draft of a message
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        delete: operations["delete_message_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fill in a text or a template for a contact, without sending it
         * @description Required scopes: `messages:read` and `contacts:read`. Plan: growth or higher.
         */
        post: operations["preview_message"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/message-templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List your own and shared message templates
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_message_templates"];
        put?: never;
        /**
         * Create a message template
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["create_message_template"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/message-templates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a message template
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["get_message_template"];
        /**
         * Update a message template
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        put: operations["update_message_template"];
        post?: never;
        /**
         * Delete a message template
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        delete: operations["delete_message_template"];
        options?: never;
        head?: never;
        /**
         * Update a message template
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        patch: operations["update_message_template_patch"];
        trace?: never;
    };
    "/suppressions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List suppressed addresses and domains
         * @description Required scope: `messages:read`. Plan: growth or higher.
         */
        get: operations["list_suppressions"];
        put?: never;
        /**
         * Suppress an address or a domain
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        post: operations["create_suppression"];
        /**
         * Remove the suppression of an address or a domain
         * @description Required scope: `messages:write`. Plan: growth or higher.
         */
        delete: operations["delete_suppression"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/network/locations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Resolve the name of a place to geo ids
         * @description Required scope: `sourcing:read`. Plan: scale or higher.
         */
        get: operations["find_network_locations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/network/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search people through a connected account
         * @description Required scope: `sourcing:read`. Plan: scale or higher.
         */
        post: operations["search_network_people"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/network/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search jobs through a connected account
         * @description Required scope: `sourcing:read`. Plan: scale or higher.
         */
        post: operations["search_network_jobs"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search people in the profile database, among contacts or in a network
         * @description Required scope: `sourcing:read`. Plan: scale or higher.
         */
        post: operations["search_people"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/contacts/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search contacts for candidates
         * @description Required scope: `sourcing:read`. Plan: scale or higher.
         */
        post: operations["search_candidates"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/add-to-project": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add profiles to a project
         * @description Required scope: `sourcing:write`. Plan: scale or higher.
         */
        post: operations["add_profiles_to_project"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sourcing/advanced/profiles/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Search the profile database, for credits
         * @description Required scope: `sourcing:read`. Plan: scale or higher. It costs credits; `402` if too few are left. It does not count against the rate limit.
         */
        post: operations["search_profiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List tags
         * @description Required scope: `tags:read`. Plan: starter or higher.
         */
        get: operations["list_tags"];
        put?: never;
        /**
         * Create a tag
         * @description Required scope: `tags:write`. Plan: starter or higher.
         */
        post: operations["create_tag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a tag
         * @description Required scope: `tags:read`. Plan: starter or higher.
         */
        get: operations["get_tag"];
        /**
         * Update a tag
         * @description Required scope: `tags:write`. Plan: starter or higher.
         */
        put: operations["update_tag"];
        post?: never;
        /**
         * Delete a tag and remove it from all records
         * @description Required scope: `tags:write`. Plan: starter or higher.
         */
        delete: operations["delete_tag"];
        options?: never;
        head?: never;
        /**
         * Update a tag
         * @description Required scope: `tags:write`. Plan: starter or higher.
         */
        patch: operations["update_tag_patch"];
        trace?: never;
    };
    "/tags/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge tags into one
         * @description Required scope: `tags:write`. Plan: starter or higher.
         */
        post: operations["merge_tags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of contacts
         * @description Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["list_contact_fields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/custom-fields": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the custom fields of companies
         * @description Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["list_company_fields"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/contacts/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create, update and upsert contacts
         * @description Required scope: `contacts:write`. Plan: starter or higher.
         */
        post: operations["bulk_contacts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/companies/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create, update and upsert companies
         * @description Required scope: `companies:write`. Plan: starter or higher.
         */
        post: operations["bulk_companies"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tasks/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create and update tasks
         * @description Required scope: `tasks:write`. Plan: starter or higher.
         */
        post: operations["bulk_tasks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/deals/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create and update deals
         * @description Required scope: `deals:write`. Plan: starter or higher.
         */
        post: operations["bulk_deals"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/pipeline-entries/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Add and change candidates in projects
         * @description Required scope: `pipeline:write`. Plan: starter or higher.
         */
        post: operations["bulk_entries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List imports
         * @description Required scope: `contacts:read` or `companies:read`. Plan: starter or higher.
         */
        get: operations["list_imports"];
        put?: never;
        /**
         * Import a file of contacts or companies
         * @description Required scope: `contacts:write` or `companies:write`. Plan: starter or higher.
         */
        post: operations["create_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose a mapping for the columns of a file
         * @description Required scope: `contacts:write` or `companies:write`. Plan: starter or higher.
         */
        post: operations["preview_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an import
         * @description Required scope: `contacts:read` or `companies:read`. Plan: starter or higher.
         */
        get: operations["get_import"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the errors of an import
         * @description Required scope: `contacts:read` or `companies:read`. Plan: starter or higher.
         */
        get: operations["list_import_errors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/imports/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an import
         * @description Required scope: `contacts:write` or `companies:write`. Plan: starter or higher.
         */
        post: operations["undo_import"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export contacts
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `contacts:read`. Plan: starter or higher.
         */
        get: operations["export_contacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/exports/companies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export companies
         * @description The workspace's own fields are filtered and sorted by, too: `custom_data.<key>=operator.value` with the operators of the field's type, `sort=custom_data.<key>`. Required scope: `companies:read`. Plan: starter or higher.
         */
        get: operations["export_companies"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/reasons": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List reasons and sources
         * @description Any key may call it. Plan: starter or higher.
         */
        get: operations["list_reasons"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all changes in the workspace, in their order
         * @description Required scope: any that reads. Plan: starter or higher.
         */
        get: operations["list_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream all changes as server-sent events
         * @description Required scope: any that reads. Plan: starter or higher.
         */
        get: operations["stream_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/workspace/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the workspace's members
         * @description Any key may call it. Plan: starter or higher.
         */
        get: operations["list_members"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the key, its owner, the workspace, limits and credits
         * @description Any key may call it. Plan: starter or higher.
         */
        get: operations["get_me"];
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
            /** @enum {string} */
            code: "validation_error" | "malformed_request" | "invalid_api_key" | "insufficient_credits" | "insufficient_scope" | "insufficient_role" | "billing_required" | "plan_upgrade_required" | "not_found" | "method_not_allowed" | "idempotency_conflict" | "erased_address" | "gone" | "precondition_failed" | "payload_too_large" | "storage_quota_exceeded" | "unsupported_media_type" | "rate_limit_exceeded" | "internal_error" | "unavailable";
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
        /** @description A person: candidate, client, prospect. */
        Contact: {
            /** Format: uuid */
            readonly id: string;
            first_name: string;
            last_name: string | null;
            title: string | null;
            current_company: string | null;
            location: string | null;
            /**
             * Format: iri
             * @description URL of the profile on a professional network.
             */
            network_profile: string | null;
            emails: {
                /** Format: idn-email */
                email: string;
                /** @enum {string} */
                type: "work" | "personal" | "other";
            }[];
            phones: {
                phone: string;
                /** @enum {string} */
                type: "personal" | "work" | "mobile" | "home" | "other";
            }[];
            /** @description Names of tags; missing ones are created. */
            tags: string[];
            /** @enum {string} */
            global_status: "new" | "contacted" | "replied" | "qualified" | "archived";
            /** @enum {string} */
            contact_type: "candidate" | "client" | "prospect" | "other";
            /** Format: uuid */
            company_id: string | null;
            summary: string | null;
            skills: string[];
            languages: string[];
            years_experience: number | null;
            /** @description Values of the workspace's custom fields, by key. */
            custom_data: {
                [key: string]: unknown;
            };
            /** @description No messages are sent to this contact. */
            do_not_contact: boolean;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** Format: date-time */
            readonly last_contacted_at: string | null;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at: string | null;
        };
        ContactInput: {
            first_name: string;
            last_name?: string | null;
            title?: string | null;
            current_company?: string | null;
            location?: string | null;
            /**
             * Format: iri
             * @description URL of the profile on a professional network.
             */
            network_profile?: string | null;
            emails?: {
                /** Format: idn-email */
                email: string;
                /**
                 * @description Default: `"work"`.
                 * @enum {string}
                 */
                type?: "work" | "personal" | "other";
            }[];
            phones?: {
                phone: string;
                /**
                 * @description Default: `"personal"`.
                 * @enum {string}
                 */
                type?: "personal" | "work" | "mobile" | "home" | "other";
            }[];
            /** @description Names of tags; missing ones are created. */
            tags?: string[];
            /**
             * @description Default: `"new"`.
             * @enum {string}
             */
            global_status?: "new" | "contacted" | "replied" | "qualified" | "archived";
            /**
             * @description Default: `"candidate"`.
             * @enum {string}
             */
            contact_type?: "candidate" | "client" | "prospect" | "other";
            /** Format: uuid */
            company_id?: string | null;
            summary?: string | null;
            skills?: string[];
            languages?: string[];
            years_experience?: number | null;
            /** @description Values of the workspace's custom fields, by key. */
            custom_data?: {
                [key: string]: unknown;
            };
            /** @description No messages are sent to this contact. */
            do_not_contact?: boolean;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
            /**
             * Format: idn-email
             * @description Inserted as the first of `emails`.
             */
            email?: string | null;
            /** @description Inserted as the first of `phones`. */
            phone?: string | null;
        };
        ContactSearch: {
            /** @description Words as in `search=`. */
            query?: string | null;
            /** @description Words in the first or last name. */
            name?: string | null;
            /** @description Words in the title. */
            title?: string | null;
            /** @description Words in `current_company`. */
            company?: string | null;
            /** @description Words in the location. */
            location?: string | null;
            /** @description One of these. */
            contact_types?: string[] | null;
            /** @description All of these, by name. */
            tags?: string[] | null;
            /**
             * Format: date-time
             * @description Inclusive.
             */
            created_after?: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            created_before?: string | null;
            /**
             * Format: date-time
             * @description Inclusive.
             */
            last_contacted_after?: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            last_contacted_before?: string | null;
            /**
             * Format: uuid
             * @description Candidates in this project.
             */
            project_id?: string | null;
            /**
             * Format: uuid
             * @description Those who are or were enrolled in this sequence.
             */
            sequence_id?: string | null;
            /** @description As in `sort=`, one field. */
            sort_by?: string | null;
            /** @enum {string|null} */
            sort_direction?: "asc" | "desc" | null;
            /** @description The size of a page; 50 if not given. */
            limit?: number | null;
            offset?: number | null;
        };
        ContactUpdate: {
            first_name?: string;
            last_name?: string | null;
            title?: string | null;
            current_company?: string | null;
            location?: string | null;
            /**
             * Format: iri
             * @description URL of the profile on a professional network.
             */
            network_profile?: string | null;
            emails?: {
                /** Format: idn-email */
                email: string;
                /**
                 * @description Default: `"work"`.
                 * @enum {string}
                 */
                type?: "work" | "personal" | "other";
            }[];
            phones?: {
                phone: string;
                /**
                 * @description Default: `"personal"`.
                 * @enum {string}
                 */
                type?: "personal" | "work" | "mobile" | "home" | "other";
            }[];
            /** @description Names of tags; missing ones are created. */
            tags?: string[];
            /**
             * @description Default: `"new"`.
             * @enum {string}
             */
            global_status?: "new" | "contacted" | "replied" | "qualified" | "archived";
            /**
             * @description Default: `"candidate"`.
             * @enum {string}
             */
            contact_type?: "candidate" | "client" | "prospect" | "other";
            /** Format: uuid */
            company_id?: string | null;
            summary?: string | null;
            skills?: string[];
            languages?: string[];
            years_experience?: number | null;
            /** @description Values of the workspace's custom fields, by key. */
            custom_data?: {
                [key: string]: unknown;
            };
            /** @description No messages are sent to this contact. */
            do_not_contact?: boolean;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
            /**
             * Format: idn-email
             * @description Inserted as the first of `emails`.
             */
            email?: string | null;
            /** @description Inserted as the first of `phones`. */
            phone?: string | null;
        };
        /** @description The erasure of a record. The record is gone at once; a job removes what belongs to it. */
        Erasure: {
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            state: "erasing";
        };
        /** @description A name that can be attached to records and by which they are found. */
        Tag: {
            /** Format: uuid */
            readonly id: string;
            /** @description Unique in the workspace, ignoring case. */
            name: string;
            color: string;
            /** @enum {string} */
            scope: "global" | "contact" | "company" | "deal" | "project";
            /** Format: date-time */
            readonly created_at: string;
        };
        TagChoice: {
            /**
             * Format: uuid
             * @description The tag by its id; or give `name`.
             */
            tag_id?: string | null;
            /** @description The tag by its name; or give `tag_id`. */
            name?: string | null;
        };
        /** @description Something that happened: to which record, by whom, and what it changed. */
        Event: {
            /** @description Its place in the workspace's history: a whole number, larger than JavaScript's numbers tell apart. */
            sequence: string;
            /** @description The kind of record and what happened to it: contact.updated. */
            type: string;
            /** Format: date-time */
            at: string;
            actor: {
                /** @enum {string} */
                kind: "user" | "key" | "system";
                /** Format: uuid */
                id: string | null;
                name: string;
            };
            record: {
                type: string;
                /** Format: uuid */
                id: string;
            };
            /** @description From and to, by member. */
            changes: {
                [key: string]: unknown[];
            };
        };
        /** @description The document that a contact applies with. */
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
        };
        ContactCvForm: {
            /**
             * Format: binary
             * @description PDF, DOC, DOCX, ODT, RTF, TXT. At most 10485760 bytes.
             */
            file: string;
        };
        /** @description A file that is attached to a record. */
        File: {
            /** Format: uuid */
            id: string;
            filename: string;
            content_type: string;
            /** @description In bytes. */
            size: number;
            /**
             * Format: uri
             * @description Opens the content with the same key.
             */
            url: string;
            /** Format: date-time */
            created_at: string;
        };
        FileForm: {
            /**
             * Format: binary
             * @description At most 10485760 bytes.
             */
            file: string;
        };
        FileInput: {
            filename: string;
            content_type?: string | null;
            /** @description Its bytes, at most 10 MiB, as base64. */
            file_base64: string;
        };
        /** @description A company: employer, client, prospect. */
        Company: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /** @description A host name, lower-cased. */
            domain: string | null;
            /** Format: iri */
            website: string | null;
            /**
             * Format: iri
             * @description URL of the page on a professional network.
             */
            network_profile: string | null;
            industry: string | null;
            employee_count: number | null;
            /** @enum {string|null} */
            size_range: "1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10001+" | null;
            location: string | null;
            description: string | null;
            phone: string | null;
            /** Format: idn-email */
            email: string | null;
            /** Format: iri */
            logo_url: string | null;
            /**
             * Format: uuid
             * @description The responsible member.
             */
            owner_id: string | null;
            /** @description Names of tags; missing ones are created. */
            tags: string[];
            /** @description Values of the workspace's custom fields, by key. */
            custom_data: {
                [key: string]: unknown;
            };
            /** @description Contacts of this company that are not archived. */
            readonly contacts_count: number;
            /** @description Deals with this company that are not archived. */
            readonly deals_count: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at: string | null;
        };
        CompanyInput: {
            name: string;
            /** @description A host name, lower-cased. */
            domain?: string | null;
            /** Format: iri */
            website?: string | null;
            /**
             * Format: iri
             * @description URL of the page on a professional network.
             */
            network_profile?: string | null;
            industry?: string | null;
            employee_count?: number | null;
            /** @enum {string|null} */
            size_range?: "1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10001+" | null;
            location?: string | null;
            description?: string | null;
            phone?: string | null;
            /** Format: idn-email */
            email?: string | null;
            /** Format: iri */
            logo_url?: string | null;
            /**
             * Format: uuid
             * @description The responsible member.
             */
            owner_id?: string | null;
            /** @description Names of tags; missing ones are created. */
            tags?: string[];
            /** @description Values of the workspace's custom fields, by key. */
            custom_data?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
        };
        CompanySearch: {
            /** @description Words as in `search=`. */
            query?: string | null;
            /** @description Words in the name. */
            name?: string | null;
            /** @description Words in the domain. */
            domain?: string | null;
            /** @description Words in the industry. */
            industry?: string | null;
            /** @description Words in the location. */
            location?: string | null;
            /** @description All of these, by name. */
            tags?: string[] | null;
            /**
             * Format: date-time
             * @description Inclusive.
             */
            created_after?: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            created_before?: string | null;
            /** @description As in `sort=`, one field. */
            sort_by?: string | null;
            /** @enum {string|null} */
            sort_direction?: "asc" | "desc" | null;
            /** @description The size of a page; 50 if not given. */
            limit?: number | null;
            offset?: number | null;
        };
        CompanyUpdate: {
            name?: string;
            /** @description A host name, lower-cased. */
            domain?: string | null;
            /** Format: iri */
            website?: string | null;
            /**
             * Format: iri
             * @description URL of the page on a professional network.
             */
            network_profile?: string | null;
            industry?: string | null;
            employee_count?: number | null;
            /** @enum {string|null} */
            size_range?: "1-10" | "11-50" | "51-200" | "201-500" | "501-1000" | "1001-5000" | "5001-10000" | "10001+" | null;
            location?: string | null;
            description?: string | null;
            phone?: string | null;
            /** Format: idn-email */
            email?: string | null;
            /** Format: iri */
            logo_url?: string | null;
            /**
             * Format: uuid
             * @description The responsible member.
             */
            owner_id?: string | null;
            /** @description Names of tags; missing ones are created. */
            tags?: string[];
            /** @description Values of the workspace's custom fields, by key. */
            custom_data?: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
        };
        /** @description A sales opportunity and its progress. */
        Deal: {
            /** Format: uuid */
            readonly id: string;
            title: string;
            /**
             * @description Changed by closing and reopening.
             * @enum {string}
             */
            readonly status: "open" | "won" | "lost" | "disqualified";
            /** @description Exact, with up to 4 decimal places. */
            amount: number | null;
            /** @description The signed amount of a won deal. */
            readonly signed_amount: number | null;
            /** @description ISO 4217; defaults to the workspace's. */
            currency: string;
            /** @description Defaults to `amount`. */
            expected_amount: number | null;
            /** Format: date-time */
            expected_close_date: string | null;
            /** @description In percent. Defaults to the stage's, and then changes with the stage. */
            probability: number | null;
            /**
             * Format: uuid
             * @description Defaults to the workspace's default pipeline; can only be changed together with `stage_id`.
             */
            pipeline_id: string;
            /**
             * Format: uuid
             * @description A stage of the pipeline; defaults to the first one.
             */
            stage_id: string;
            /** Format: uuid */
            company_id: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            owner_id: string | null;
            /**
             * Format: uuid
             * @description The origin of the deal: a reason of the kind `source`.
             */
            primary_source_id: string | null;
            /** @description Contacts who take part in it. */
            contact_ids: string[];
            /**
             * Format: uuid
             * @description A reason of the kind `close`.
             */
            readonly close_reason_id: string | null;
            /**
             * Format: uuid
             * @description A reason of the kind `loss`.
             */
            readonly loss_reason_id: string | null;
            /** Format: date-time */
            readonly closed_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at: string | null;
        };
        DealInput: {
            title: string;
            /** @description Exact, with up to 4 decimal places. */
            amount?: number | null;
            /** @description ISO 4217; defaults to the workspace's. */
            currency?: string;
            /** @description Defaults to `amount`. */
            expected_amount?: number | null;
            /** Format: date-time */
            expected_close_date?: string | null;
            /** @description In percent. Defaults to the stage's, and then changes with the stage. */
            probability?: number | null;
            /**
             * Format: uuid
             * @description Defaults to the workspace's default pipeline; can only be changed together with `stage_id`.
             */
            pipeline_id?: string;
            /**
             * Format: uuid
             * @description A stage of the pipeline; defaults to the first one.
             */
            stage_id?: string;
            /** Format: uuid */
            company_id?: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            owner_id?: string | null;
            /**
             * Format: uuid
             * @description The origin of the deal: a reason of the kind `source`.
             */
            primary_source_id?: string | null;
            /** @description Contacts who take part in it. */
            contact_ids?: string[];
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
        };
        /** @description A sales opportunity and its progress. */
        DealWhole: {
            /** Format: uuid */
            readonly id: string;
            title: string;
            /**
             * @description Changed by closing and reopening.
             * @enum {string}
             */
            readonly status: "open" | "won" | "lost" | "disqualified";
            /** @description Exact, with up to 4 decimal places. */
            amount: number | null;
            /** @description The signed amount of a won deal. */
            readonly signed_amount: number | null;
            /** @description ISO 4217; defaults to the workspace's. */
            currency: string;
            /** @description Defaults to `amount`. */
            expected_amount: number | null;
            /** Format: date-time */
            expected_close_date: string | null;
            /** @description In percent. Defaults to the stage's, and then changes with the stage. */
            probability: number | null;
            /**
             * Format: uuid
             * @description Defaults to the workspace's default pipeline; can only be changed together with `stage_id`.
             */
            pipeline_id: string;
            /**
             * Format: uuid
             * @description A stage of the pipeline; defaults to the first one.
             */
            stage_id: string;
            /** Format: uuid */
            company_id: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            owner_id: string | null;
            /**
             * Format: uuid
             * @description The origin of the deal: a reason of the kind `source`.
             */
            primary_source_id: string | null;
            /** @description Contacts who take part in it. */
            contact_ids: string[];
            /**
             * Format: uuid
             * @description A reason of the kind `close`.
             */
            readonly close_reason_id: string | null;
            /**
             * Format: uuid
             * @description A reason of the kind `loss`.
             */
            readonly loss_reason_id: string | null;
            /** Format: date-time */
            readonly closed_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at: string | null;
            company: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            stage: {
                /** Format: uuid */
                id: string;
                name: string;
                position: number;
            };
            contacts: {
                /** Format: uuid */
                id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
            }[];
        };
        DealUpdate: {
            title?: string;
            /** @description Exact, with up to 4 decimal places. */
            amount?: number | null;
            /** @description ISO 4217; defaults to the workspace's. */
            currency?: string;
            /** @description Defaults to `amount`. */
            expected_amount?: number | null;
            /** Format: date-time */
            expected_close_date?: string | null;
            /** @description In percent. Defaults to the stage's, and then changes with the stage. */
            probability?: number | null;
            /**
             * Format: uuid
             * @description Defaults to the workspace's default pipeline; can only be changed together with `stage_id`.
             */
            pipeline_id?: string;
            /**
             * Format: uuid
             * @description A stage of the pipeline; defaults to the first one.
             */
            stage_id?: string;
            /** Format: uuid */
            company_id?: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            owner_id?: string | null;
            /**
             * Format: uuid
             * @description The origin of the deal: a reason of the kind `source`.
             */
            primary_source_id?: string | null;
            /** @description Contacts who take part in it. */
            contact_ids?: string[];
            /**
             * Format: date-time
             * @description Accepts null, which restores, or the current value.
             */
            archived_at?: string | null;
        };
        StageChoice: {
            /** Format: uuid */
            stage_id: string;
        };
        DealClose: {
            /** @enum {string} */
            status: "won" | "lost" | "disqualified";
            /** @description Stored only for a won deal. */
            signed_amount?: number | null;
            /**
             * Format: date-time
             * @description Defaults to now.
             */
            actual_close_date?: string | null;
            /**
             * Format: uuid
             * @description A reason of the kind `close`.
             */
            close_reason_id?: string | null;
            /**
             * Format: uuid
             * @description A reason of the kind `loss`.
             */
            loss_reason_id?: string | null;
        };
        /** @description The link between a deal and a contact. */
        DealContact: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly deal_id: string;
            /** Format: uuid */
            readonly contact_id: string;
            /** Format: date-time */
            readonly created_at: string;
        };
        ContactChoice: {
            /** Format: uuid */
            contact_id: string;
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
        /** @description Records that may be one. */
        Duplicates: {
            /** @description From 0 to 1: how far the reasons show it. */
            score: number;
            reasons: ("email" | "network_profile" | "phone" | "name_and_company" | "domain" | "name")[];
            /** @description Oldest first. */
            records: (components["schemas"]["Contact"] | components["schemas"]["Company"])[];
        };
        Merge: {
            /**
             * Format: uuid
             * @description What an undo names; null of a dry run.
             */
            id: string | null;
            /** Format: uuid */
            into: string;
            from: string[];
            /** @description The survivor as it is now, or would be. */
            record: components["schemas"]["Contact"] | components["schemas"]["Company"];
            /** @description How many of each kind belong to the survivor now. */
            moved: {
                [key: string]: number;
            };
            /** @description Items of lists that the survivor has no room for. */
            left_out: Record<string, unknown>;
            /** @description Enrollments that the merge ends, or would end; its undo puts them back as they were. */
            ends: {
                /** Format: uuid */
                enrollment_id: string;
                /** Format: uuid */
                sequence_id: string;
                /** Format: uuid */
                contact_id: string;
                /** @enum {string} */
                status: "active" | "paused" | "finished" | "replied" | "bounced" | "unsubscribed" | "unenrolled" | "failed";
                reason: string;
            }[];
            dry_run: boolean;
        };
        MergeInput: {
            /**
             * Format: uuid
             * @description The record that remains.
             */
            into: string;
            /** @description Ids of the records that are merged into it. */
            from: string[];
            /** @description The record whose value a member takes: `{"title": "<id>", "custom_data.level": "<id>"}`. By default it is the survivor's value, or else the first one that is not empty. Lists are joined, also those of a `multi_select`. */
            fields?: {
                [key: string]: unknown;
            };
            /** @description Only show the result, without merging. */
            dry_run?: boolean;
        };
        ErasedAddressChoice: {
            /** @description An email address, a phone number or the address of a profile. */
            address?: string | null;
        };
        /** @description A search for candidates on behalf of a client. */
        Project: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description An archived project accepts no entries.
             * @enum {string}
             */
            status: "active" | "archived";
            client_name: string | null;
            /** Format: uuid */
            client_company_id: string | null;
            location: string | null;
            description: string | null;
            /**
             * Format: uuid
             * @description The template of its stages; only accepted on creation.
             */
            template_id: string | null;
            /** @description The responsible members; defaults to the key's owner. */
            owner_ids: string[];
            readonly entries_count: number;
            /** Format: uuid */
            readonly default_sequence_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            client_company: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            owners: {
                /** Format: uuid */
                user_id: string;
                first_name: string;
                last_name: string;
                email: string;
            }[];
        };
        /** @description A search for candidates on behalf of a client. */
        ProjectDetail: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description An archived project accepts no entries.
             * @enum {string}
             */
            status: "active" | "archived";
            client_name: string | null;
            /** Format: uuid */
            client_company_id: string | null;
            location: string | null;
            description: string | null;
            /**
             * Format: uuid
             * @description The template of its stages; only accepted on creation.
             */
            template_id: string | null;
            /** @description The responsible members; defaults to the key's owner. */
            owner_ids: string[];
            readonly entries_count: number;
            /** Format: uuid */
            readonly default_sequence_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            client_company: {
                /** Format: uuid */
                id: string;
                name: string;
            } | null;
            owners: {
                /** Format: uuid */
                user_id: string;
                first_name: string;
                last_name: string;
                email: string;
            }[];
            pipeline: {
                /** @description In the order of position. */
                stages: {
                    /** Format: uuid */
                    readonly id: string;
                    name: string;
                    /** @description From 0. */
                    position: number;
                    /** @enum {string} */
                    system_category: "sourced" | "contacted" | "replied" | "interview" | "offer" | "hired" | "rejected" | "other";
                    color: string;
                    readonly entries_count: number;
                }[];
            };
        };
        ProjectInput: {
            name: string;
            /**
             * @description An archived project accepts no entries. Default: `"active"`.
             * @enum {string}
             */
            status?: "active" | "archived";
            client_name?: string | null;
            /** Format: uuid */
            client_company_id?: string | null;
            location?: string | null;
            description?: string | null;
            /**
             * Format: uuid
             * @description The template of its stages; only accepted on creation.
             */
            template_id?: string | null;
            /** @description The responsible members; defaults to the key's owner. */
            owner_ids?: string[];
        };
        ProjectUpdate: {
            name?: string;
            /**
             * @description An archived project accepts no entries. Default: `"active"`.
             * @enum {string}
             */
            status?: "active" | "archived";
            client_name?: string | null;
            /** Format: uuid */
            client_company_id?: string | null;
            location?: string | null;
            description?: string | null;
            /**
             * Format: uuid
             * @description The template of its stages; only accepted on creation.
             */
            template_id?: string | null;
            /** @description The responsible members; defaults to the key's owner. */
            owner_ids?: string[];
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
        /** @description A candidate in a project. */
        ProjectEntry: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly project_id: string;
            /**
             * Format: uuid
             * @description The contact; can't be changed later.
             */
            contact_id: string;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id: string;
            rating: number | null;
            notes: string | null;
            /**
             * Format: uuid
             * @description The reason, in a stage of the category `rejected`; removed when the entry leaves it.
             */
            rejection_reason_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            stage: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            contact: {
                /** Format: uuid */
                id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
                current_company: string | null;
                location: string | null;
                network_profile: string | null;
                /** @enum {string} */
                global_status: "new" | "contacted" | "replied" | "qualified" | "archived";
            };
        };
        EntryInput: {
            /**
             * Format: uuid
             * @description The contact; can't be changed later.
             */
            contact_id: string;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id?: string;
            rating?: number | null;
            notes?: string | null;
            /**
             * Format: uuid
             * @description The reason, in a stage of the category `rejected`; removed when the entry leaves it.
             */
            rejection_reason_id?: string | null;
        };
        EntryUpdate: {
            /**
             * Format: uuid
             * @description The contact; can't be changed later.
             */
            contact_id?: string;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id?: string;
            rating?: number | null;
            notes?: string | null;
            /**
             * Format: uuid
             * @description The reason, in a stage of the category `rejected`; removed when the entry leaves it.
             */
            rejection_reason_id?: string | null;
        };
        /** @description A candidate in a project. */
        Entry: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly project_id: string;
            /**
             * Format: uuid
             * @description The contact; can't be changed later.
             */
            contact_id: string;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id: string;
            rating: number | null;
            notes: string | null;
            /**
             * Format: uuid
             * @description The reason, in a stage of the category `rejected`; removed when the entry leaves it.
             */
            rejection_reason_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            stage: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            contact: {
                /** Format: uuid */
                id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
                current_company: string | null;
                location: string | null;
                network_profile: string | null;
                /** @enum {string} */
                global_status: "new" | "contacted" | "replied" | "qualified" | "archived";
            };
            project: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {string} */
                status: "active" | "archived";
            };
        };
        /** @description An entry, with the related records that were included. */
        SyncedEntry: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly project_id: string;
            /**
             * Format: uuid
             * @description The contact; can't be changed later.
             */
            contact_id: string;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id: string;
            rating: number | null;
            notes: string | null;
            /**
             * Format: uuid
             * @description The reason, in a stage of the category `rejected`; removed when the entry leaves it.
             */
            rejection_reason_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            stage?: {
                /** Format: uuid */
                id: string;
                name: string;
            };
            contact?: {
                /** Format: uuid */
                readonly id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
                current_company: string | null;
                location: string | null;
                /**
                 * Format: iri
                 * @description URL of the profile on a professional network.
                 */
                network_profile: string | null;
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                }[];
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                }[];
                /** @description Names of tags; missing ones are created. */
                tags: string[];
                /** @enum {string} */
                global_status: "new" | "contacted" | "replied" | "qualified" | "archived";
                /** @enum {string} */
                contact_type: "candidate" | "client" | "prospect" | "other";
                /** Format: uuid */
                company_id: string | null;
                summary: string | null;
                skills: string[];
                languages: string[];
                years_experience: number | null;
                /** @description Values of the workspace's custom fields, by key. */
                custom_data: {
                    [key: string]: unknown;
                };
                /** @description No messages are sent to this contact. */
                do_not_contact: boolean;
                /** Format: date-time */
                readonly created_at: string;
                /** Format: date-time */
                readonly updated_at: string;
                /** Format: date-time */
                readonly last_contacted_at: string | null;
                /**
                 * Format: date-time
                 * @description Accepts null, which restores, or the current value.
                 */
                archived_at: string | null;
            };
            project?: {
                /** Format: uuid */
                id: string;
                name: string;
                /** @enum {string} */
                status: "active" | "archived";
            };
        };
        /** @description A note that a user wrote about a record. */
        Note: {
            /** Format: uuid */
            readonly id: string;
            content: string;
            is_pinned: boolean;
            /**
             * Format: uuid
             * @description The member who wrote it.
             */
            readonly author_id: string | null;
            /** Format: uuid */
            readonly contact_id: string | null;
            /** Format: uuid */
            readonly company_id: string | null;
            /** Format: uuid */
            readonly deal_id: string | null;
            /** Format: uuid */
            readonly project_id: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        NoteInput: {
            content: string;
            is_pinned?: boolean;
        };
        NoteUpdate: {
            content?: string;
            is_pinned?: boolean;
        };
        /** @description Something that a member has to do. */
        Task: {
            /** Format: uuid */
            readonly id: string;
            title: string;
            description: string | null;
            /** @enum {string} */
            type: "call" | "email" | "network_connect" | "network_message" | "chat" | "todo" | "reminder" | "meeting" | "interview";
            /** @enum {string} */
            status: "todo" | "done" | "skipped";
            /** @enum {string} */
            priority: "low" | "medium" | "high";
            /** Format: date */
            due_date: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            assigned_to: string | null;
            /** Format: uuid */
            contact_id: string | null;
            /** Format: uuid */
            company_id: string | null;
            /** Format: uuid */
            deal_id: string | null;
            /** Format: uuid */
            project_id: string | null;
            /**
             * Format: date-time
             * @description When it was done or skipped.
             */
            readonly completed_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        TaskInput: {
            title: string;
            description?: string | null;
            /**
             * @description Default: `"todo"`.
             * @enum {string}
             */
            type?: "call" | "email" | "network_connect" | "network_message" | "chat" | "todo" | "reminder" | "meeting" | "interview";
            /**
             * @description Default: `"todo"`.
             * @enum {string}
             */
            status?: "todo" | "done" | "skipped";
            /**
             * @description Default: `"medium"`.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high";
            /** Format: date */
            due_date?: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            assigned_to?: string | null;
            /** Format: uuid */
            contact_id?: string | null;
            /** Format: uuid */
            company_id?: string | null;
            /** Format: uuid */
            deal_id?: string | null;
            /** Format: uuid */
            project_id?: string | null;
        };
        TaskUpdate: {
            title?: string;
            description?: string | null;
            /**
             * @description Default: `"todo"`.
             * @enum {string}
             */
            type?: "call" | "email" | "network_connect" | "network_message" | "chat" | "todo" | "reminder" | "meeting" | "interview";
            /**
             * @description Default: `"todo"`.
             * @enum {string}
             */
            status?: "todo" | "done" | "skipped";
            /**
             * @description Default: `"medium"`.
             * @enum {string}
             */
            priority?: "low" | "medium" | "high";
            /** Format: date */
            due_date?: string | null;
            /**
             * Format: uuid
             * @description The responsible member; defaults to the key's owner.
             */
            assigned_to?: string | null;
            /** Format: uuid */
            contact_id?: string | null;
            /** Format: uuid */
            company_id?: string | null;
            /** Format: uuid */
            deal_id?: string | null;
            /** Format: uuid */
            project_id?: string | null;
        };
        /** @description Outreach in steps. Read alone it also holds its `steps`. */
        Sequence: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "archived";
            /** @description Why the server paused it; null if somebody did. */
            readonly paused_reason: string | null;
            /** @enum {string} */
            priority: "normal" | "high";
            /** @enum {string} */
            mode: "simple" | "advanced";
            /** Format: uuid */
            project_id: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. */
            schedule_config: {
                /** @description An IANA name; the workspace's unless given. */
                timezone: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. */
                days: string[];
                /** @description HH:MM */
                start_time: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. */
                end_time: string;
                /** @enum {string} */
                count: "sending_days" | "calendar_days";
                use_contact_timezone: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates: string[];
                stop_on_reply: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company: boolean;
                track_opens: boolean;
                track_clicks: boolean;
            };
            readonly steps_count: number;
            readonly enrollments: {
                total: number;
                active: number;
                paused: number;
                finished: number;
                replied: number;
                bounced: number;
                failed: number;
            };
            /** @description Of its steps: a change after the first start makes a new one. */
            readonly version: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        /** @description Outreach in steps. Read alone it also holds its `steps`. */
        WholeSequence: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "archived";
            /** @description Why the server paused it; null if somebody did. */
            readonly paused_reason: string | null;
            /** @enum {string} */
            priority: "normal" | "high";
            /** @enum {string} */
            mode: "simple" | "advanced";
            /** Format: uuid */
            project_id: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. */
            schedule_config: {
                /** @description An IANA name; the workspace's unless given. */
                timezone: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. */
                days: string[];
                /** @description HH:MM */
                start_time: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. */
                end_time: string;
                /** @enum {string} */
                count: "sending_days" | "calendar_days";
                use_contact_timezone: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates: string[];
                stop_on_reply: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company: boolean;
                track_opens: boolean;
                track_clicks: boolean;
            };
            readonly steps_count: number;
            readonly enrollments: {
                total: number;
                active: number;
                paused: number;
                finished: number;
                replied: number;
                bounced: number;
                failed: number;
            };
            /** @description Of its steps: a change after the first start makes a new one. */
            readonly version: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            steps: {
                /**
                 * Format: uuid
                 * @description Sent back with a change, the step stays the same one.
                 */
                id: string;
                readonly position: number;
                /** @description By which other steps of the same request name it. */
                client_key: string | null;
                /** @enum {string} */
                type: "email" | "network_connect" | "network_message" | "network_inmail" | "network_visit" | "chat" | "call" | "task";
                name: string | null;
                /** @description Needed by an email that starts a thread; one without it answers in the thread. */
                subject: string | null;
                /** @description HTML when it begins with `<`, else plain text. */
                body: string | null;
                /** @description Further recipients of an email. */
                cc: string[];
                /** @description Further recipients of an email, whom nobody else can see. */
                bcc: string[];
                /**
                 * Format: idn-email
                 * @description Where answers to an email go; to the account unless given.
                 */
                reply_to: string | null;
                /** @description Ids of files of contacts and projects, for an email: 20 MB in all. */
                attachments: string[];
                /** @description From 2 to 5 texts that are compared, for a message that is sent automatically; the step has no `subject` and `body` then. Each contact gets one of them. */
                variants: {
                    /**
                     * Format: uuid
                     * @description Sent back with a change, the variant stays the same one and keeps its results.
                     */
                    id: string;
                    name: string | null;
                    /** @description How often contacts get it, in proportion to the weights of the other variants. */
                    weight: number;
                    /** @description As in a step. */
                    subject: string | null;
                    /** @description As in a step. */
                    body: string | null;
                }[];
                /** @description Kept and returned as sent. */
                content_template: {
                    [key: string]: unknown;
                } | null;
                delay_days: number;
                delay_hours: number;
                /** @enum {string} */
                execution_mode: "automatic" | "manual";
                /** @description Connected accounts; those of the sequence's owners unless given. */
                sender_ids: string[];
                /** @description The `client_key` of another step in the same request, or the id of a stored one. */
                parent_step_id: string | null;
                branch_condition: {
                    /** @enum {string} */
                    type: "replied" | "not_replied" | "opened" | "clicked" | "invite_accepted" | "invite_not_accepted" | "has_email" | "has_phone" | "has_network_profile" | "otherwise";
                    /** @description How long to wait for it. */
                    after_days: number;
                } | null;
                /** @description Contact filters as in a list: `{"title": "ilike.%cto%"}`. A step for whose contact they don't hold is skipped. */
                entry_conditions: {
                    [key: string]: unknown;
                } | null;
            }[];
        };
        SequenceInput: {
            name: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is. Default: `"draft"`.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "archived";
            /**
             * @description Default: `"normal"`.
             * @enum {string}
             */
            priority?: "normal" | "high";
            /**
             * @description Default: `"simple"`.
             * @enum {string}
             */
            mode?: "simple" | "advanced";
            /** Format: uuid */
            project_id?: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids?: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. Default: `{}`. */
            schedule_config?: {
                /** @description An IANA name; the workspace's unless given. */
                timezone?: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. Default: `["mon","tue","wed","thu","fri"]`. */
                days?: string[];
                /** @description HH:MM Default: `"09:00"`. */
                start_time?: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. Default: `"18:00"`. */
                end_time?: string;
                /**
                 * @description Default: `"sending_days"`.
                 * @enum {string}
                 */
                count?: "sending_days" | "calendar_days";
                use_contact_timezone?: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit?: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes?: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates?: string[];
                /** @description Default: `true`. */
                stop_on_reply?: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company?: boolean;
                track_opens?: boolean;
                track_clicks?: boolean;
            };
            /** @description From 1 to 50. */
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
            }[];
        };
        SequenceUpdate: {
            name?: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is. Default: `"draft"`.
             * @enum {string}
             */
            status?: "draft" | "active" | "paused" | "archived";
            /**
             * @description Default: `"normal"`.
             * @enum {string}
             */
            priority?: "normal" | "high";
            /**
             * @description Default: `"simple"`.
             * @enum {string}
             */
            mode?: "simple" | "advanced";
            /** Format: uuid */
            project_id?: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids?: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. Default: `{}`. */
            schedule_config?: {
                /** @description An IANA name; the workspace's unless given. */
                timezone?: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. Default: `["mon","tue","wed","thu","fri"]`. */
                days?: string[];
                /** @description HH:MM Default: `"09:00"`. */
                start_time?: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. Default: `"18:00"`. */
                end_time?: string;
                /**
                 * @description Default: `"sending_days"`.
                 * @enum {string}
                 */
                count?: "sending_days" | "calendar_days";
                use_contact_timezone?: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit?: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes?: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates?: string[];
                /** @description Default: `true`. */
                stop_on_reply?: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company?: boolean;
                track_opens?: boolean;
                track_clicks?: boolean;
            };
            /** @description From 1 to 50. */
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
            }[];
        };
        /** @description A sequence that was started, and what may go wrong. */
        StartedSequence: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "archived";
            /** @description Why the server paused it; null if somebody did. */
            readonly paused_reason: string | null;
            /** @enum {string} */
            priority: "normal" | "high";
            /** @enum {string} */
            mode: "simple" | "advanced";
            /** Format: uuid */
            project_id: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. */
            schedule_config: {
                /** @description An IANA name; the workspace's unless given. */
                timezone: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. */
                days: string[];
                /** @description HH:MM */
                start_time: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. */
                end_time: string;
                /** @enum {string} */
                count: "sending_days" | "calendar_days";
                use_contact_timezone: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates: string[];
                stop_on_reply: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company: boolean;
                track_opens: boolean;
                track_clicks: boolean;
            };
            readonly steps_count: number;
            readonly enrollments: {
                total: number;
                active: number;
                paused: number;
                finished: number;
                replied: number;
                bounced: number;
                failed: number;
            };
            /** @description Of its steps: a change after the first start makes a new one. */
            readonly version: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description What may go wrong although the sequence was started. */
            warnings: {
                /** @enum {string} */
                code: "public_url_loopback" | "public_url_not_https" | "no_unsubscribe_link" | "half_written_names" | "missing_values" | "domain_check_failed";
                message: string;
                /** @description What to do about it. */
                fix: string;
            }[];
        };
        /** @description Outreach in steps. Read alone it also holds its `steps`. */
        ProjectSequence: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /**
             * @description A new one is a draft; a body may only repeat what it is.
             * @enum {string}
             */
            status: "draft" | "active" | "paused" | "archived";
            /** @description Why the server paused it; null if somebody did. */
            readonly paused_reason: string | null;
            /** @enum {string} */
            priority: "normal" | "high";
            /** @enum {string} */
            mode: "simple" | "advanced";
            /** Format: uuid */
            project_id: string | null;
            /** @description Members; the key's owner unless given. */
            owner_ids: string[];
            /** @description When it may send, and what ends it. Members that are not sent are kept. */
            schedule_config: {
                /** @description An IANA name; the workspace's unless given. */
                timezone: string;
                /** @description mon, tue, wed, thu, fri, sat, sun. */
                days: string[];
                /** @description HH:MM */
                start_time: string;
                /** @description HH:MM; 24:00 is the day's end. Earlier than `start_time`, it is on the day after, and the window belongs to the day on which it begins. */
                end_time: string;
                /** @enum {string} */
                count: "sending_days" | "calendar_days";
                use_contact_timezone: boolean;
                /** @description Most messages a day; none is set unless given. */
                daily_limit: number | null;
                /** @description Between two messages; none is kept unless given. */
                min_gap_minutes: number | null;
                /** @description Days on which nothing is sent, YYYY-MM-DD. */
                skip_dates: string[];
                stop_on_reply: boolean;
                /** @description A reply of one ends it for all of the same company. */
                stop_for_company: boolean;
                track_opens: boolean;
                track_clicks: boolean;
            };
            readonly steps_count: number;
            readonly enrollments: {
                total: number;
                active: number;
                paused: number;
                finished: number;
                replied: number;
                bounced: number;
                failed: number;
            };
            /** @description Of its steps: a change after the first start makes a new one. */
            readonly version: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** @description Whether it is the project's default one. */
            readonly is_default: boolean;
        };
        DefaultSequence: {
            /** Format: uuid */
            sequence_id: string;
        };
        /** @description A test mail that was sent. */
        StepTest: {
            /** Format: email */
            to: string;
            /** Format: email */
            from: string | null;
            subject: string | null;
        };
        StepTestInput: {
            /**
             * Format: uuid
             * @description The contact whose values are filled in. The contact gets nothing.
             */
            contact_id: string;
            /**
             * Format: idn-email
             * @description The address of a member of the workspace; one's own unless given.
             */
            to?: string | null;
            /**
             * Format: uuid
             * @description The connected account that sends; the first that may send the step unless given.
             */
            sender_id?: string | null;
            /**
             * Format: uuid
             * @description Of a step with variants: which one; the first unless given.
             */
            variant_id?: string | null;
        };
        /** @description What became of each contact. */
        EnrollResult: {
            enrolled: number;
            skipped_blacklisted: number;
            skipped_already_enrolled: number;
            skipped_active_elsewhere: number;
            skipped_not_found: number;
            results: {
                /** Format: uuid */
                contact_id: string;
                /** @enum {string} */
                outcome: "enrolled" | "skipped_blacklisted" | "skipped_already_enrolled" | "skipped_active_elsewhere" | "skipped_not_found";
                /**
                 * Format: uuid
                 * @description The new one, or the one that is in the way.
                 */
                enrollment_id: string | null;
                reason: string | null;
            }[];
        };
        EnrollInput: {
            contact_ids?: string[] | null;
            contacts?: {
                /** Format: uuid */
                contact_id: string;
                /** @description `custom_variable_1` … `custom_variable_10`: text, numbers, true or false. */
                custom_variables?: {
                    [key: string]: unknown;
                } | null;
            }[] | null;
        };
        /** @description How many were taken out, and how many were not in it. */
        UnenrollResult: {
            unenrolled: number;
            not_found: number;
            /** @description Contacts whose message was being handed over at this moment: it may still arrive. */
            sending: string[];
        };
        UnenrollInput: {
            contact_ids: string[];
        };
        /** @description A contact in a sequence. */
        Enrollment: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly sequence_id: string;
            /** Format: uuid */
            readonly contact_id: string;
            /** @enum {string} */
            readonly status: "active" | "paused" | "finished" | "replied" | "bounced" | "unsubscribed" | "unenrolled" | "failed";
            /**
             * Format: uuid
             * @description The step whose turn it is; while no branch is decided on, the step before; after the end, the last one.
             */
            readonly current_step_id: string | null;
            /** @description `custom_variable_1` … `custom_variable_10`, for its templates. */
            readonly custom_variables: {
                [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the current step is due; null while it waits for a task, for good or for somebody.
             */
            readonly next_step_at: string | null;
            /** @description Why it ended or is held up. */
            readonly reason: string | null;
            /** Format: date-time */
            readonly enrolled_at: string;
            /** Format: date-time */
            readonly finished_at: string | null;
            /** @description The `version` of the sequence that it follows. A later change of the steps does not reach it, unless it is upgraded. */
            readonly sequence_version: number;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        /** @description What became of a step. */
        StepStats: {
            /** Format: uuid */
            step_id: string;
            position: number;
            type: string;
            name: string | null;
            /** @description The last version of the sequence that has it. */
            version: number;
            planned: number;
            sent: number;
            skipped: number;
            failed: number;
            bounced: number;
            replied: number;
            unsubscribed: number;
            opened: number;
            clicked: number;
            /** @description What became of each variant: those of the newest version, then those that only older versions have. */
            variants: {
                /** Format: uuid */
                variant_id: string;
                /** @description Its index in the step, from 0. */
                position: number;
                name: string | null;
                weight: number;
                /** @description The last version of the sequence that has it. */
                version: number;
                sent: number;
                failed: number;
                bounced: number;
                replied: number;
                unsubscribed: number;
                opened: number;
                clicked: number;
            }[];
            /** @description Compares the variants of the newest version that has any; null if the step has none. */
            comparison: {
                /**
                 * @description `replied` of `sent`.
                 * @enum {string}
                 */
                metric: "reply_rate";
                /**
                 * @description `better` if `p_value` is below 0.05.
                 * @enum {string}
                 */
                verdict: "too_few_sent" | "no_difference_shown" | "better";
                /**
                 * Format: uuid
                 * @description The variant with the highest rate; null if too few were sent.
                 */
                best_variant_id: string | null;
                /**
                 * Format: uuid
                 * @description The variant with the next rate; null if too few were sent.
                 */
                next_variant_id: string | null;
                /** @description Of Fisher's exact test, two-sided, of the best and the next variant; multiplied by the number of pairs (Bonferroni). */
                p_value: number | null;
                /** @description The verdict in words. */
                summary: string;
            } | null;
        };
        ResumeInput: {
            /** @description Only after `outcome_unknown`: whether the message was sent. */
            sent?: boolean | null;
        };
        /** @description How many were retried, who could not be, and how many failed enrollments are left. */
        RetryResult: {
            retried: number;
            refused: {
                /** Format: uuid */
                contact_id: string;
                reason: string;
            }[];
            /** @description Failed enrollments of the sequence, including those that were refused. */
            remaining: number;
            /**
             * Format: uuid
             * @description One request looks at 500 enrollments at most. Send it as `after` to go on; null at the end.
             */
            next: string | null;
        };
        RetryInput: {
            contact_ids?: string[] | null;
            /**
             * Format: uuid
             * @description Without `contact_ids`: `next` of the response before.
             */
            after?: string | null;
        };
        /** @description How many were moved, who could not be, and how many open enrollments of earlier versions are left. */
        UpgradeResult: {
            upgraded: number;
            refused: {
                /** Format: uuid */
                contact_id: string;
                reason: string;
            }[];
            /** @description Open enrollments of earlier versions, including those that were refused. */
            remaining: number;
            /**
             * Format: uuid
             * @description One request looks at 500 enrollments at most. Send it as `after` to go on; null at the end.
             */
            next: string | null;
            /** @description The version of the sequence that they follow now. */
            version: number;
            dry_run: boolean;
        };
        UpgradeInput: {
            contact_ids?: string[] | null;
            /**
             * Format: uuid
             * @description Without `contact_ids`: `next` of the response before.
             */
            after?: string | null;
            /** @description Tells what would happen, and changes nothing. */
            dry_run?: boolean | null;
        };
        /** @description How many were resolved, which could not be, and how many unknown outcomes are left. */
        ResolveResult: {
            resolved: number;
            refused: {
                /** Format: uuid */
                message_id: string;
                reason: string;
            }[];
            /** @description Messages with an unknown outcome: of the account or sequence, else of the workspace. */
            remaining: number;
            /**
             * Format: uuid
             * @description One request looks at 500 messages at most. Send it as `after` to go on; null at the end.
             */
            next: string | null;
            dry_run: boolean;
        };
        ResolveInput: {
            /** @description True if they were sent. False if they were not: sequences send them again, as new messages. */
            sent: boolean;
            message_ids?: string[] | null;
            /** Format: uuid */
            account_id?: string | null;
            /** Format: uuid */
            sequence_id?: string | null;
            /**
             * Format: uuid
             * @description Without `message_ids`: `next` of the response before.
             */
            after?: string | null;
            /** @description Tells what would happen, and changes nothing. */
            dry_run?: boolean | null;
        };
        /** @description When the next step goes out and every rule that moved it, or why nothing will. */
        Explanation: {
            /** Format: uuid */
            enrollment_id: string;
            status: string;
            next_step: {
                /** Format: uuid */
                id: string;
                type: string;
                name: string | null;
            } | null;
            /**
             * Format: date-time
             * @description Null if no time is known, and if the step is due now; `summary` says which.
             */
            next_step_at: string | null;
            /** @description In the order in which they moved it. */
            rules: {
                rule: string;
                reason: string;
                /** Format: date-time */
                at: string;
            }[];
            /** @description Why nothing goes out as things are. */
            blocked: string | null;
            summary: string;
        };
        /** @description A request to find addresses of a contact. */
        EnrichmentRequest: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly contact_id: string;
            /** @description `email`, `phone` or both. */
            readonly types: string[];
            /** @enum {string} */
            readonly status: "pending" | "processing" | "completed" | "failed";
            readonly result: {
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                    /** @description The provider that found it. */
                    provider: string;
                    /** @description Whether the provider says that it is verified. */
                    verified: boolean;
                    /** @description The confidence of the provider, from 0 to 100. */
                    confidence: number | null;
                    /** Format: date-time */
                    found_at: string;
                }[];
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                    /** @description The provider that found it. */
                    provider: string;
                    verified: boolean;
                    /** @description The confidence of the provider, from 0 to 100. */
                    confidence: number | null;
                    /** Format: date-time */
                    found_at: string;
                }[];
            } | null;
            /** @description The first provider that found something; each value names its own. */
            readonly provider: string | null;
            readonly credits_consumed: number;
            /** @description The most credits that it may cost. */
            readonly max_credits: number | null;
            /** @description Why it failed. */
            readonly error: string | null;
            /** @description The providers that were asked, in order. */
            readonly attempts: {
                provider: string;
                /** @enum {string} */
                outcome: "found" | "nothing" | "failed" | "skipped";
                reason: string | null;
                /** Format: date-time */
                at: string;
            }[];
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            /** Format: date-time */
            readonly completed_at: string | null;
        };
        EnrichInput: {
            /** @description `email` (the default), `phone` or both. */
            types?: string[] | null;
            /** @description The most credits that it may cost; defaults to one for each type. */
            max_credits?: number | null;
        };
        EnrichmentInput: {
            /** @description 1 to 100 contacts. */
            contact_ids: string[];
            /** @description `email` (the default), `phone` or both. */
            types?: string[] | null;
            /** @description The most credits that each contact may cost; defaults to one for each type. */
            max_credits?: number | null;
        };
        /** @description An account through which messages leave and arrive. */
        ConnectedAccount: {
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
        };
        /** @description A mail that was seen and not stored. */
        UnstoredMail: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly account_id: string;
            /** @description Its number in the folder. */
            readonly uid: number;
            /** @description Why it was not stored. */
            readonly reason: string;
            /** @description Who it is from, where it says. */
            readonly sender: string | null;
            readonly subject: string | null;
            /** @description In bytes. */
            readonly size: number | null;
            /** Format: date-time */
            readonly received_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
        };
        DomainCheck: {
            domain: string;
            findings: {
                /** @enum {string} */
                check: "spf" | "dkim" | "dmarc" | "mx" | "unsubscribe";
                /** @enum {string} */
                verdict: "pass" | "warn" | "fail" | "unknown";
                reason: string;
                /** @description The record that was found. */
                found: string | null;
                /** @description The record to add, or to put in place of the one that was found. */
                record: {
                    name: string;
                    /** @description TXT or MX. */
                    kind: string;
                    value: string;
                } | null;
            }[];
        };
        /** @description Messages with a contact that belong together. */
        Conversation: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly channel: "email" | "network" | "chat";
            /** @enum {string} */
            status: "open" | "archived";
            /**
             * Format: uuid
             * @description The connected account that it goes through.
             */
            readonly account_id: string;
            /** Format: uuid */
            readonly contact_id: string;
            readonly subject: string | null;
            /**
             * Format: uuid
             * @description The member who deals with it.
             */
            assigned_to: string | null;
            /**
             * Format: date-time
             * @description It is out of the inbox until this time, at most a year ahead, or until a message is received.
             */
            snoozed_until: string | null;
            /** @description Messages received that the caller has not read: the signed-in member, or the owner of the key. */
            readonly unread_count: number;
            /** Format: date-time */
            readonly last_message_at: string | null;
            /**
             * Format: date-time
             * @description When it last came to the top of the inbox: with its latest message, or at the end of a snooze.
             */
            readonly active_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
            contact: {
                /** Format: uuid */
                id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
            };
        };
        ConversationUpdate: {
            /**
             * @description Default: `"open"`.
             * @enum {string}
             */
            status?: "open" | "archived";
            /**
             * Format: uuid
             * @description The member who deals with it.
             */
            assigned_to?: string | null;
            /**
             * Format: date-time
             * @description It is out of the inbox until this time, at most a year ahead, or until a message is received.
             */
            snoozed_until?: string | null;
        };
        /** @description What was said to a contact, or by them. */
        Message: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly conversation_id: string;
            /** @description As plain text. Of a received mail, what its sender wrote. */
            readonly content: string;
            /** @description The mail that a received mail quotes, as plain text, with the lines that introduce it. `null` if it quotes none, or if the sender wrote between the quoted lines. */
            readonly quoted: string | null;
            /** @description As HTML, safe to show, where it has any. Images of a received mail are not loaded: their addresses are in `data-src`. */
            readonly html: string | null;
            readonly subject: string | null;
            /** @enum {string} */
            readonly direction: "inbound" | "outbound";
            /** @enum {string} */
            readonly channel: "email" | "network" | "chat";
            /** @description The contact's address, number or profile that it went to or came from. */
            readonly address: string | null;
            /** @description Further recipients of a sent mail, whom all can see. */
            readonly cc: string[];
            /** @description Further recipients of a sent mail, whom nobody else can see. */
            readonly bcc: string[];
            /** @description Where answers to a sent mail go, if not to the account. */
            readonly reply_to: string | null;
            /** @enum {string} */
            readonly kind: "message" | "invite" | "inmail" | "visit" | "auto_reply" | "out_of_office" | "bounce" | "complaint" | "notice";
            /** @enum {string} */
            readonly status: "queued" | "sent" | "failed" | "received";
            /** @description Why it failed. */
            readonly error: string | null;
            readonly attachments: {
                /** Format: uuid */
                id: string;
                filename: string;
                content_type: string;
                /** @description In bytes. */
                size: number;
                /** @description Of a file of a received mail: its HTML shows it where an image has this id in `data-src`, as `cid:` and the id. */
                content_id: string | null;
                /** @description Below the API's address; opens with the same key. */
                path: string;
                /** @description Why its content was not stored, if it was not. */
                left_out: string | null;
            }[];
            /**
             * Format: date-time
             * @description Not before this time, if it was given one.
             */
            send_at: string | null;
            /** Format: date-time */
            readonly sent_at: string | null;
            /**
             * Format: date-time
             * @description When the first member read it.
             */
            readonly read_at: string | null;
            /**
             * Format: uuid
             * @description The enrollment and step that sent it, if a sequence did.
             */
            readonly enrollment_id: string | null;
            /** Format: uuid */
            readonly step_id: string | null;
            /**
             * Format: uuid
             * @description The variant of the step whose text it has, if the step had variants.
             */
            readonly variant_id: string | null;
            /**
             * @description Who wrote a message to the contact: a member or an API key. `null` for mails of sequences and for mails that were written in another program.
             * @enum {string|null}
             */
            readonly author_kind: "user" | "key" | null;
            /** Format: uuid */
            readonly author_id: string | null;
            /** @description The name of the member or of the key when it was written. */
            readonly author_name: string | null;
            /** Format: uuid */
            readonly contact_id: string;
            /** Format: date-time */
            readonly created_at: string;
        };
        ReplyInput: {
            content?: string | null;
            /** @description Of an email; `Re:` and the conversation's unless given. */
            subject?: string | null;
            /** Format: uuid */
            template_id?: string | null;
            cc?: string[];
            bcc?: string[];
            /** Format: idn-email */
            reply_to?: string | null;
            attachments?: string[];
            signature?: boolean | null;
            /** Format: date-time */
            send_at?: string | null;
            /** Format: uuid */
            draft_id?: string | null;
        };
        /** @description What was said to a contact, or by them. */
        SentMessage: {
            /** Format: uuid */
            readonly id: string;
            /** Format: uuid */
            readonly conversation_id: string;
            /** @description As plain text. Of a received mail, what its sender wrote. */
            readonly content: string;
            /** @description The mail that a received mail quotes, as plain text, with the lines that introduce it. `null` if it quotes none, or if the sender wrote between the quoted lines. */
            readonly quoted: string | null;
            /** @description As HTML, safe to show, where it has any. Images of a received mail are not loaded: their addresses are in `data-src`. */
            readonly html: string | null;
            readonly subject: string | null;
            /** @enum {string} */
            readonly direction: "inbound" | "outbound";
            /** @enum {string} */
            readonly channel: "email" | "network" | "chat";
            /** @description The contact's address, number or profile that it went to or came from. */
            readonly address: string | null;
            /** @description Further recipients of a sent mail, whom all can see. */
            readonly cc: string[];
            /** @description Further recipients of a sent mail, whom nobody else can see. */
            readonly bcc: string[];
            /** @description Where answers to a sent mail go, if not to the account. */
            readonly reply_to: string | null;
            /** @enum {string} */
            readonly kind: "message" | "invite" | "inmail" | "visit" | "auto_reply" | "out_of_office" | "bounce" | "complaint" | "notice";
            /** @enum {string} */
            readonly status: "queued" | "sent" | "failed" | "received";
            /** @description Why it failed. */
            readonly error: string | null;
            readonly attachments: {
                /** Format: uuid */
                id: string;
                filename: string;
                content_type: string;
                /** @description In bytes. */
                size: number;
                /** @description Of a file of a received mail: its HTML shows it where an image has this id in `data-src`, as `cid:` and the id. */
                content_id: string | null;
                /** @description Below the API's address; opens with the same key. */
                path: string;
                /** @description Why its content was not stored, if it was not. */
                left_out: string | null;
            }[];
            /**
             * Format: date-time
             * @description Not before this time, if it was given one.
             */
            send_at: string | null;
            /** Format: date-time */
            readonly sent_at: string | null;
            /**
             * Format: date-time
             * @description When the first member read it.
             */
            readonly read_at: string | null;
            /**
             * Format: uuid
             * @description The enrollment and step that sent it, if a sequence did.
             */
            readonly enrollment_id: string | null;
            /** Format: uuid */
            readonly step_id: string | null;
            /**
             * Format: uuid
             * @description The variant of the step whose text it has, if the step had variants.
             */
            readonly variant_id: string | null;
            /**
             * @description Who wrote a message to the contact: a member or an API key. `null` for mails of sequences and for mails that were written in another program.
             * @enum {string|null}
             */
            readonly author_kind: "user" | "key" | null;
            /** Format: uuid */
            readonly author_id: string | null;
            /** @description The name of the member or of the key when it was written. */
            readonly author_name: string | null;
            /** Format: uuid */
            readonly contact_id: string;
            /** Format: date-time */
            readonly created_at: string;
            contact: {
                /** Format: uuid */
                id: string;
                first_name: string;
                last_name: string | null;
                title: string | null;
            };
        };
        MessageInput: {
            /** Format: uuid */
            contact_id: string;
            /** @enum {string} */
            channel: "email" | "network" | "chat";
            /** @description HTML when it begins with `<`, else plain text. Required unless `template_id` is given. */
            content?: string | null;
            /** @description Of an email. */
            subject?: string | null;
            /**
             * Format: uuid
             * @description The key owner's account for the channel unless given, else the workspace's oldest.
             */
            account_id?: string | null;
            /**
             * Format: uuid
             * @description A message template that is filled in for the contact, instead of `content`. A `subject` that is given replaces its own.
             */
            template_id?: string | null;
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
            /** @description False leaves out the signature of the account. */
            signature?: boolean | null;
            /**
             * Format: date-time
             * @description Not before this time, at most a year ahead; at once unless given.
             */
            send_at?: string | null;
            /**
             * Format: uuid
             * @description The draft that this message was written in. It is deleted when the message is queued.
             */
            draft_id?: string | null;
        };
        MessageUpdate: {
            /**
             * Format: date-time
             * @description Not before this time, if it was given one.
             */
            send_at?: string | null;
        };
        /** @description A message that is not sent yet. It has no version. */
        MessageDraft: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            contact_id: string;
            /** Format: uuid */
            conversation_id: string | null;
            /** @enum {string} */
            channel: "email" | "network" | "chat";
            content: string | null;
            subject: string | null;
            /** Format: uuid */
            account_id: string | null;
            cc: string[];
            bcc: string[];
            reply_to: string | null;
            attachments: string[];
            signature: boolean | null;
            /** Format: date-time */
            send_at: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        MessageDraftInput: {
            /** Format: uuid */
            contact_id: string;
            /**
             * Format: uuid
             * @description The conversation that it answers in; a new message unless given.
             */
            conversation_id?: string | null;
            /**
             * @description Default: `"email"`.
             * @enum {string}
             */
            channel?: "email" | "network" | "chat";
            content?: string | null;
            subject?: string | null;
            /** Format: uuid */
            account_id?: string | null;
            cc?: string[];
            bcc?: string[];
            reply_to?: string | null;
            /** @description Ids of files. */
            attachments?: string[];
            signature?: boolean | null;
            /** Format: date-time */
            send_at?: string | null;
        };
        /** @description A text with the values of a contact. */
        MessagePreview: {
            subject: string | null;
            /** @description Placeholders without a value and a fallback stay as written. */
            content: string;
            /** @description The names of those placeholders. */
            missing: string[];
        };
        MessagePreviewInput: {
            /** Format: uuid */
            contact_id: string;
            /** @description HTML when it begins with `<`, else plain text. */
            content?: string | null;
            subject?: string | null;
            /**
             * Format: uuid
             * @description A message template, instead of `content`. A `subject` that is given replaces its own.
             */
            template_id?: string | null;
            /**
             * Format: uuid
             * @description Who sends: the key owner's email account unless given, else the workspace's oldest.
             */
            account_id?: string | null;
        };
        /** @description A subject and a content that are filled in for a contact. */
        MessageTemplate: {
            /** Format: uuid */
            readonly id: string;
            name: string;
            /** @description Of an email. */
            subject: string | null;
            /** @description HTML when it begins with `<`, else plain text. A template like the body of a step. */
            content: string;
            /** @description All members of the workspace see it; otherwise only its owner does. */
            shared: boolean;
            /**
             * Format: uuid
             * @description The member who made it.
             */
            readonly owner_id: string;
            /** @description The names that it fills in. */
            readonly variables: string[];
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        MessageTemplateInput: {
            name: string;
            /** @description Of an email. */
            subject?: string | null;
            /** @description HTML when it begins with `<`, else plain text. A template like the body of a step. */
            content: string;
            /** @description All members of the workspace see it; otherwise only its owner does. Default: `false`. */
            shared?: boolean;
        };
        MessageTemplateUpdate: {
            name?: string;
            /** @description Of an email. */
            subject?: string | null;
            /** @description HTML when it begins with `<`, else plain text. A template like the body of a step. */
            content?: string;
            /** @description All members of the workspace see it; otherwise only its owner does. Default: `false`. */
            shared?: boolean;
        };
        /** @description An address, or all of a domain, to which nothing is sent. */
        Suppression: {
            /** Format: uuid */
            readonly id: string;
            /** Format: idn-email */
            address: string | null;
            domain: string | null;
            /** @enum {string} */
            readonly reason: "manual" | "unsubscribed" | "complained" | "bounced";
            /** Format: date-time */
            readonly created_at: string;
        };
        SuppressionInput: {
            /** Format: idn-email */
            address?: string | null;
            domain?: string | null;
        };
        SuppressionChoice: {
            /** @description The suppressed address; or give `domain`. */
            address?: string | null;
            /** @description The suppressed domain; or give `address`. */
            domain?: string | null;
        };
        /** @description A place, as a network knows it. */
        NetworkLocation: {
            /** @description The geo id, which searches take. */
            id: string;
            title: string;
        };
        NetworkPeople: {
            profiles: {
                profile_id: string;
                first_name: string;
                /** @description Empty if the person has none. */
                last_name: string;
                headline: string | null;
                /** Format: iri */
                picture_url: string | null;
                location: string | null;
                /** Format: iri */
                network_url: string | null;
                summary: string | null;
                current_job: {
                    title: string | null;
                    company_name: string | null;
                } | null;
                experiences: {
                    title: string | null;
                    company_name: string | null;
                    company_domain: string | null;
                    /** @description A year, a month or a day, as the source has it. */
                    start_date: string | null;
                    end_date: string | null;
                    description: string | null;
                    is_current: boolean;
                }[];
                educations: {
                    educational_establishment: string | null;
                    diploma: string | null;
                    specialization: string | null;
                    start_date: string | null;
                    end_date: string | null;
                }[];
                skills: string[];
                total_years_experience: number | null;
                open_to_work: boolean | null;
                /** @description Null if not revealed. */
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                }[] | null;
                /** @description Null if not revealed. */
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                }[] | null;
                /** @description Whether its contact is in the requested project. */
                readonly already_in_project: boolean;
                /**
                 * Format: uuid
                 * @description The contact of this person, if there is one.
                 */
                readonly existing_contact_id: string | null;
            }[];
            /** @description Exact up to 10000; 10000 if there are more. */
            total_count: number;
            filtered_count: number;
            next_page: number | null;
            has_more: boolean;
            /** @description Nothing fits all filters. */
            filters_too_strict: boolean;
            /** @description The filter without which something would be found. */
            too_strict_filter: string | null;
            cursor: string | null;
        };
        NetworkPeopleSearch: {
            /**
             * Format: uuid
             * @description The project that results are compared with.
             */
            project_id?: string | null;
            /**
             * Format: uuid
             * @description The connected account that searches.
             */
            account_id: string;
            /** @description One of these. */
            job_titles?: string[] | null;
            /** @description Geo ids, each with its name, as `GET /sourcing/network/locations` returns them. */
            location_ids?: {
                [key: string]: unknown;
            } | null;
            years_experience?: {
                min?: number | null;
                max?: number | null;
            } | null;
            /** @description Words with AND, OR, NOT, quotes and parentheses. */
            boolean_query?: string | null;
            /**
             * @description The interface of the network to use; defaults to the best one of the account.
             * @enum {string|null}
             */
            api_type?: "classic" | "sales_navigator" | "recruiter" | null;
            page?: number | null;
            page_size?: number | null;
            /** @description The cursor of the previous page. */
            cursor?: string | null;
        };
        /** @description A page of jobs. */
        NetworkJobs: {
            items: {
                id: string;
                title: string;
                company: {
                    id: string;
                    name: string;
                    profile_url: string | null;
                };
                location: string | null;
                url: string;
                /** Format: date-time */
                posted_at: string | null;
                reposted: boolean;
                /** @enum {string|null} */
                workplace_type: "on_site" | "hybrid" | "remote" | null;
                easy_apply: boolean;
            }[];
            /** @description How many came before this page, how many stand on it, and how many there are. */
            paging: {
                start: number;
                page_count: number;
                total_count: number;
            };
            /** @description Of the next page; null exactly on the last. */
            cursor: string | null;
            has_more: boolean;
        };
        NetworkJobSearch: {
            /**
             * Format: uuid
             * @description The connected account that searches.
             */
            account_id: string;
            keywords?: string | null;
            /** @description Geo ids, each with its name, as `GET /sourcing/network/locations` returns them. */
            location_ids?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: iri
             * @description The address of a job search in the network, instead of keywords.
             */
            url?: string | null;
            /** @description The cursor of the previous page. */
            cursor?: string | null;
            page_size?: number | null;
        };
        People: {
            profiles: {
                profile_id: string;
                first_name: string;
                /** @description Empty if the person has none. */
                last_name: string;
                headline: string | null;
                /** Format: iri */
                picture_url: string | null;
                location: string | null;
                /** Format: iri */
                network_url: string | null;
                summary: string | null;
                current_job: {
                    title: string | null;
                    company_name: string | null;
                } | null;
                experiences: {
                    title: string | null;
                    company_name: string | null;
                    company_domain: string | null;
                    /** @description A year, a month or a day, as the source has it. */
                    start_date: string | null;
                    end_date: string | null;
                    description: string | null;
                    is_current: boolean;
                }[];
                educations: {
                    educational_establishment: string | null;
                    diploma: string | null;
                    specialization: string | null;
                    start_date: string | null;
                    end_date: string | null;
                }[];
                skills: string[];
                total_years_experience: number | null;
                open_to_work: boolean | null;
                /** @description Null if not revealed. */
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                }[] | null;
                /** @description Null if not revealed. */
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                }[] | null;
                /** @description Whether its contact is in the requested project. */
                readonly already_in_project: boolean;
                /**
                 * Format: uuid
                 * @description The contact of this person, if there is one.
                 */
                readonly existing_contact_id: string | null;
            }[];
            /** @description Exact up to 10000; 10000 if there are more. */
            total_count: number;
            filtered_count: number;
            next_page: number | null;
            has_more: boolean;
            /** @description Nothing fits all filters. */
            filters_too_strict: boolean;
            /** @description The filter without which something would be found. */
            too_strict_filter: string | null;
        };
        SourcingSearch: {
            /**
             * Format: uuid
             * @description The project that results are compared with.
             */
            project_id?: string | null;
            /** @enum {string} */
            source_type: "database" | "contacts" | "network";
            filters?: {
                job_titles?: {
                    include?: string[] | null;
                    exclude?: string[] | null;
                    /** @description Only current titles count. */
                    include_current_only?: boolean | null;
                } | null;
                companies?: {
                    include?: string[] | null;
                    exclude?: string[] | null;
                } | null;
                locations?: {
                    cities?: string[] | null;
                    states?: string[] | null;
                    countries?: string[] | null;
                } | null;
                network_filters?: {
                    /** @description Geo ids, each with its name, as `GET /sourcing/network/locations` returns them. */
                    location_ids?: {
                        [key: string]: unknown;
                    } | null;
                } | null;
                skills?: {
                    include?: string[] | null;
                    require_all?: boolean | null;
                } | null;
                keywords?: {
                    include?: string[] | null;
                    exclude?: string[] | null;
                } | null;
                years_experience?: {
                    min?: number | null;
                    max?: number | null;
                } | null;
                contacts_filters?: {
                    contact_types?: string[] | null;
                } | null;
            } | null;
            page?: number | null;
            page_size?: number | null;
            /**
             * Format: uuid
             * @description For the network: the account to search with; defaults to the key owner's, else the workspace's oldest.
             */
            account_id?: string | null;
            /**
             * @description For the network: the interface to use; defaults to the best one of the account.
             * @enum {string|null}
             */
            network_api_type?: "classic" | "sales_navigator" | "recruiter" | null;
        };
        Candidates: {
            profiles: {
                profile_id: string;
                first_name: string;
                /** @description Empty if the person has none. */
                last_name: string;
                headline: string | null;
                /** Format: iri */
                picture_url: string | null;
                location: string | null;
                /** Format: iri */
                network_url: string | null;
                summary: string | null;
                current_job: {
                    title: string | null;
                    company_name: string | null;
                } | null;
                experiences: {
                    title: string | null;
                    company_name: string | null;
                    company_domain: string | null;
                    /** @description A year, a month or a day, as the source has it. */
                    start_date: string | null;
                    end_date: string | null;
                    description: string | null;
                    is_current: boolean;
                }[];
                educations: {
                    educational_establishment: string | null;
                    diploma: string | null;
                    specialization: string | null;
                    start_date: string | null;
                    end_date: string | null;
                }[];
                skills: string[];
                total_years_experience: number | null;
                open_to_work: boolean | null;
                /** @description Null if not revealed. */
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                }[] | null;
                /** @description Null if not revealed. */
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                }[] | null;
                /** @description Whether its contact is in the requested project. */
                readonly already_in_project: boolean;
                /**
                 * Format: uuid
                 * @description The contact of this person, if there is one.
                 */
                readonly existing_contact_id: string | null;
            }[];
            /** @description Exact up to 10000; 10000 if there are more. */
            total_count: number;
            filtered_count: number;
            next_page: number | null;
            has_more: boolean;
            /** @description Nothing fits all filters. */
            filters_too_strict: boolean;
            /** @description The filter without which something would be found. */
            too_strict_filter: string | null;
        };
        CandidateSearch: {
            /**
             * Format: uuid
             * @description The project that results are compared with.
             */
            project_id?: string | null;
            /** @description The title contains the words of one of these. */
            job_titles?: string[] | null;
            /** @description `current_company` contains the words of one of these. */
            companies?: string[] | null;
            /** @description The location contains the words of one of these. */
            locations?: string[] | null;
            /** @description All of these occur, as in `search=`. */
            keywords?: string[] | null;
            /** @description All of these. */
            skills?: string[] | null;
            first_name?: string | null;
            last_name?: string | null;
            /** @description Words in the first or last name. */
            full_name?: string | null;
            /** @description One of these. */
            contact_types?: string[] | null;
            /** @description All of these, by name. */
            tags?: string[] | null;
            /** @description Candidates in one of these projects. */
            project_ids?: string[] | null;
            /** @description Contacts who are or were enrolled in one of these sequences. */
            sequence_ids?: string[] | null;
            /** @description Candidates in one of these stages. */
            stage_ids?: string[] | null;
            /** @description Candidates in a stage of one of these categories. */
            stage_categories?: string[] | null;
            /**
             * Format: date-time
             * @description Inclusive.
             */
            created_after?: string | null;
            /**
             * Format: date-time
             * @description Exclusive.
             */
            created_before?: string | null;
            page?: number | null;
            page_size?: number | null;
        };
        AddedToProject: {
            /** @description New candidates. */
            added: number;
            /** @description Those who were candidates already. */
            skipped: number;
            /** @description The contact that each profile is, in the order of the profiles. */
            contact_ids: string[];
        };
        AddToProject: {
            /** Format: uuid */
            project_id: string;
            /**
             * Format: uuid
             * @description The connected account that found them.
             */
            account_id?: string | null;
            /**
             * Format: uuid
             * @description A stage of the project; defaults to the first one.
             */
            stage_id?: string | null;
            /** @description 1 to 100 profiles as a search gives them. They may hold anything besides. */
            profiles: {
                [key: string]: unknown;
            }[];
        };
        ProfilesFound: {
            profiles: {
                profile_id: string;
                first_name: string;
                /** @description Empty if the person has none. */
                last_name: string;
                headline: string | null;
                /** Format: iri */
                picture_url: string | null;
                location: string | null;
                /** Format: iri */
                network_url: string | null;
                summary: string | null;
                current_job: {
                    title: string | null;
                    company_name: string | null;
                } | null;
                experiences: {
                    title: string | null;
                    company_name: string | null;
                    company_domain: string | null;
                    /** @description A year, a month or a day, as the source has it. */
                    start_date: string | null;
                    end_date: string | null;
                    description: string | null;
                    is_current: boolean;
                }[];
                educations: {
                    educational_establishment: string | null;
                    diploma: string | null;
                    specialization: string | null;
                    start_date: string | null;
                    end_date: string | null;
                }[];
                skills: string[];
                total_years_experience: number | null;
                open_to_work: boolean | null;
                /** @description Null if not revealed. */
                emails: {
                    /** Format: idn-email */
                    email: string;
                    /** @enum {string} */
                    type: "work" | "personal" | "other";
                }[] | null;
                /** @description Null if not revealed. */
                phones: {
                    phone: string;
                    /** @enum {string} */
                    type: "personal" | "work" | "mobile" | "home" | "other";
                }[] | null;
                /** @description Whether its contact is in the requested project. */
                readonly already_in_project: boolean;
                /**
                 * Format: uuid
                 * @description The contact of this person, if there is one.
                 */
                readonly existing_contact_id: string | null;
            }[];
            /** @description Exact up to 10000; 10000 if there are more. */
            total_count: number;
            filtered_count: number;
            next_page: number | null;
            has_more: boolean;
            /** @description Nothing fits all filters. */
            filters_too_strict: boolean;
            /** @description The filter without which something would be found. */
            too_strict_filter: string | null;
            credits_consumed: number;
            sourcing_credits_remaining: number;
        };
        ProfileSearch: {
            /** @description Of the current job. */
            job_title?: string[] | null;
            company?: string[] | null;
            location?: string[] | null;
            skills?: string[] | null;
            /**
             * @description Default: `"any"`.
             * @enum {string}
             */
            company_filter?: "current" | "past" | "any";
            /** @description Only profiles with one of these: personal_email, work_email, phone. With `reveal_info`, these are shown. */
            data_types?: string[] | null;
            /** @description Show emails and phones. Default: `false`. */
            reveal_info?: boolean;
            /** @description Default: `1`. */
            page?: number;
        };
        TagInput: {
            /** @description Unique in the workspace, ignoring case. */
            name: string;
            /** @description Default: `"#6b7280"`. */
            color?: string;
            /**
             * @description Default: `"global"`.
             * @enum {string}
             */
            scope?: "global" | "contact" | "company" | "deal" | "project";
        };
        TagUpdate: {
            /** @description Unique in the workspace, ignoring case. */
            name?: string;
            /** @description Default: `"#6b7280"`. */
            color?: string;
            /**
             * @description Default: `"global"`.
             * @enum {string}
             */
            scope?: "global" | "contact" | "company" | "deal" | "project";
        };
        TagMerge: {
            /** Format: uuid */
            into: string;
            from: string[];
            /** @description The tag that stays. */
            tag: Record<string, unknown>;
            /** @description Whether records are still being changed. Reads, filters and search are right at once; the event of each record follows when it is changed. */
            in_progress: boolean;
        };
        TagMergeInput: {
            /**
             * Format: uuid
             * @description The tag that remains, with its name, color and scope.
             */
            into: string;
            /** @description Ids of the tags that are merged into it. */
            from: string[];
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
        BulkResults: {
            results: {
                /** @description The item's place in `items`, from 0. */
                index: number;
                /** @description What a request of its own would have been answered. */
                status: number;
                /**
                 * Format: uuid
                 * @description The record, where there is one.
                 */
                id?: string;
                error?: components["schemas"]["ErrorInfo"];
            }[];
        };
        BulkInput: {
            items: {
                /** @enum {string} */
                op: "create" | "update" | "upsert";
                /**
                 * Format: uuid
                 * @description The record to update.
                 */
                id?: string | null;
                /** @description For an upsert: the member that identifies the record. */
                match?: string | null;
                /** @description The body of a corresponding single request. */
                data: {
                    [key: string]: unknown;
                };
            }[];
            /** @description All or nothing. Then there may be 100 items, with 400,000 bytes and 1,000 entries in their lists. */
            atomic?: boolean;
        };
        /** @description A file of records that is imported, and the progress. */
        Import: {
            /** Format: uuid */
            readonly id: string;
            /** @enum {string} */
            readonly collection: "contacts" | "companies";
            /** @enum {string} */
            readonly format: "csv" | "ndjson";
            readonly filename: string | null;
            /** @description The member of each column; null if the column is ignored. */
            readonly mapping: {
                [key: string]: unknown;
            };
            /** @description Columns that were not recognised and were left out. */
            readonly ignored_columns: string[];
            /** @description The member by which a row finds the record to change. */
            readonly match_on: string | null;
            /** @description Rows are only checked. */
            readonly dry_run: boolean;
            /** @enum {string} */
            readonly status: "pending" | "processing" | "completed" | "failed" | "undoing" | "undone";
            /** @description Why it failed as a whole. */
            readonly error: string | null;
            /** @description The progress in the file, in percent. */
            readonly progress: number;
            /** @description Rows of the file; null until its end is reached. */
            readonly total: number | null;
            readonly processed: number;
            /** @description Records that were created, or would be. */
            readonly created: number;
            /** @description Records that were changed, or would be. */
            readonly updated: number;
            /** @description Rows without any change. */
            readonly skipped: number;
            /** @description Rows that were rejected; see its errors. */
            readonly failed: number;
            /** @description By an undo: records that were removed again. */
            readonly removed: number;
            /** @description By an undo: records that have their earlier values again. */
            readonly restored: number;
            /** @description By an undo: records that were not changed because somebody has changed them since; see its errors. */
            readonly kept: number;
            /** Format: date-time */
            readonly completed_at: string | null;
            /** Format: date-time */
            readonly undone_at: string | null;
            /** Format: date-time */
            readonly created_at: string;
            /** Format: date-time */
            readonly updated_at: string;
        };
        ImportForm: {
            /** @description A JSON object: `collection` (contacts or companies, required), `format` (csv or ndjson; defaults to the extension of the file name), `mapping` ({column: member or null}), `match_on` (the member by which a row finds the record to change), `dry_run`, `strict` (a column that is not recognised is refused instead of left out). */
            options: {
                [key: string]: unknown;
            };
            /**
             * Format: binary
             * @description At most 2147483648 bytes.
             */
            file: string;
        };
        /** @description What an import of a file would make of it. Values of more than 200 characters are cut and end with `…`. */
        ImportPreview: {
            /** @enum {string} */
            format: "csv" | "ndjson";
            /** @enum {string} */
            encoding: "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";
            /**
             * @description null in NDJSON.
             * @enum {string|null}
             */
            separator: "," | ";" | "\t" | null;
            /** @description In the order of the file; in NDJSON the members of its first rows. */
            columns: {
                /** @description What `mapping` calls it. */
                name: string;
                /** @description What it stands for: by `mapping` if that names it, else as proposed by its name; null: nothing. */
                member: string | null;
                /** @description The first different values that are not empty. */
                samples: string[];
            }[];
            /** @description Columns that are not recognised. */
            ignored_columns: string[];
            /** @description All that a column may stand for and that an import stores. Other read-only members are ignored. */
            members: string[];
            /** @description The first rows, each with its values in the order of `columns`. */
            rows: string[][];
            /** @description Rows of the file; null where its first row is too long to tell. */
            total: number | null;
            /** @description `total` is estimated by the first rows. */
            total_is_estimate: boolean;
            /** @description What `POST /imports` would refuse of the same form; empty if it would be accepted. */
            problems: {
                field: string;
                reason: string;
            }[];
        };
        /** @description What is wrong with a row of an import. */
        ImportError: {
            /** @description The first after the header is 1. */
            row: number;
            /** @description Its name in the file, or the member. */
            column: string | null;
            reason: string;
            /** @description The value in the file, shortened. */
            value: string | null;
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
        Me: {
            key: {
                /** Format: uuid */
                id: string;
                name: string;
                prefix: string;
                last4: string;
                scopes: ("contacts:read" | "contacts:write" | "contacts:delete" | "companies:read" | "companies:write" | "companies:delete" | "deals:read" | "deals:write" | "deals:delete" | "notes:read" | "notes:write" | "tags:read" | "tags:write" | "tasks:read" | "tasks:write" | "enrichment:read" | "enrichment:write" | "messages:read" | "messages:write" | "projects:read" | "projects:write" | "pipeline:read" | "pipeline:write" | "sequences:read" | "sequences:write" | "sourcing:read" | "sourcing:write")[];
                /** Format: date-time */
                expires_at: string | null;
            };
            user: components["schemas"]["Member"] | null;
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
            limits: {
                requests_per_hour: number;
                remaining: number;
                /** Format: date-time */
                resets_at: string;
            };
            credits: {
                sourcing: number;
                enrichment: number;
            };
        };
        /** @enum {string} */
        ContactField: "id" | "first_name" | "last_name" | "title" | "current_company" | "location" | "network_profile" | "emails" | "phones" | "tags" | "global_status" | "contact_type" | "company_id" | "summary" | "skills" | "languages" | "years_experience" | "custom_data" | "do_not_contact" | "created_at" | "updated_at" | "last_contacted_at" | "archived_at";
        /** @enum {string} */
        EventField: "sequence" | "type" | "at" | "actor" | "record" | "changes";
        /** @enum {string} */
        ContactCvField: "contact_id" | "url" | "filename" | "content_type" | "size" | "updated_at";
        /** @enum {string} */
        FileField: "id" | "filename" | "content_type" | "size" | "url" | "created_at";
        /** @enum {string} */
        CompanyField: "id" | "name" | "domain" | "website" | "network_profile" | "industry" | "employee_count" | "size_range" | "location" | "description" | "phone" | "email" | "logo_url" | "owner_id" | "tags" | "custom_data" | "contacts_count" | "deals_count" | "created_at" | "updated_at" | "archived_at";
        /** @enum {string} */
        DealField: "id" | "title" | "status" | "amount" | "signed_amount" | "currency" | "expected_amount" | "expected_close_date" | "probability" | "pipeline_id" | "stage_id" | "company_id" | "owner_id" | "primary_source_id" | "contact_ids" | "close_reason_id" | "loss_reason_id" | "closed_at" | "created_at" | "updated_at" | "archived_at";
        /** @enum {string} */
        DealWholeField: "id" | "title" | "status" | "amount" | "signed_amount" | "currency" | "expected_amount" | "expected_close_date" | "probability" | "pipeline_id" | "stage_id" | "company_id" | "owner_id" | "primary_source_id" | "contact_ids" | "close_reason_id" | "loss_reason_id" | "closed_at" | "created_at" | "updated_at" | "archived_at" | "company" | "stage" | "contacts";
        /** @enum {string} */
        DealPipelineField: "id" | "name" | "is_default" | "position" | "stages" | "created_at" | "updated_at";
        /** @enum {string} */
        DuplicatesField: "score" | "reasons" | "records";
        /** @enum {string} */
        ProjectField: "id" | "name" | "status" | "client_name" | "client_company_id" | "location" | "description" | "template_id" | "owner_ids" | "entries_count" | "default_sequence_id" | "created_at" | "updated_at" | "client_company" | "owners";
        /** @enum {string} */
        ProjectDetailField: "id" | "name" | "status" | "client_name" | "client_company_id" | "location" | "description" | "template_id" | "owner_ids" | "entries_count" | "default_sequence_id" | "created_at" | "updated_at" | "client_company" | "owners" | "pipeline";
        /** @enum {string} */
        ProjectTemplateField: "id" | "name" | "is_default" | "stages";
        /** @enum {string} */
        ProjectEntryField: "id" | "project_id" | "contact_id" | "stage_id" | "rating" | "notes" | "rejection_reason_id" | "created_at" | "updated_at" | "stage" | "contact";
        /** @enum {string} */
        EntryField: "id" | "project_id" | "contact_id" | "stage_id" | "rating" | "notes" | "rejection_reason_id" | "created_at" | "updated_at" | "stage" | "contact" | "project";
        /** @enum {string} */
        SyncedEntryField: "id" | "project_id" | "contact_id" | "stage_id" | "rating" | "notes" | "rejection_reason_id" | "created_at" | "updated_at" | "stage" | "contact" | "project";
        /** @enum {string} */
        NoteField: "id" | "content" | "is_pinned" | "author_id" | "contact_id" | "company_id" | "deal_id" | "project_id" | "created_at" | "updated_at";
        /** @enum {string} */
        TaskField: "id" | "title" | "description" | "type" | "status" | "priority" | "due_date" | "assigned_to" | "contact_id" | "company_id" | "deal_id" | "project_id" | "completed_at" | "created_at" | "updated_at";
        /** @enum {string} */
        SequenceField: "id" | "name" | "status" | "paused_reason" | "priority" | "mode" | "project_id" | "owner_ids" | "schedule_config" | "steps_count" | "enrollments" | "version" | "created_at" | "updated_at";
        /** @enum {string} */
        WholeSequenceField: "id" | "name" | "status" | "paused_reason" | "priority" | "mode" | "project_id" | "owner_ids" | "schedule_config" | "steps_count" | "enrollments" | "version" | "created_at" | "updated_at" | "steps";
        /** @enum {string} */
        ProjectSequenceField: "id" | "name" | "status" | "paused_reason" | "priority" | "mode" | "project_id" | "owner_ids" | "schedule_config" | "steps_count" | "enrollments" | "version" | "created_at" | "updated_at" | "is_default";
        /** @enum {string} */
        EnrollmentField: "id" | "sequence_id" | "contact_id" | "status" | "current_step_id" | "custom_variables" | "next_step_at" | "reason" | "enrolled_at" | "finished_at" | "sequence_version" | "created_at" | "updated_at";
        /** @enum {string} */
        StepStatsField: "step_id" | "position" | "type" | "name" | "version" | "planned" | "sent" | "skipped" | "failed" | "bounced" | "replied" | "unsubscribed" | "opened" | "clicked" | "variants" | "comparison";
        /** @enum {string} */
        ExplanationField: "enrollment_id" | "status" | "next_step" | "next_step_at" | "rules" | "blocked" | "summary";
        /** @enum {string} */
        EnrichmentRequestField: "id" | "contact_id" | "types" | "status" | "result" | "provider" | "credits_consumed" | "max_credits" | "error" | "attempts" | "created_at" | "updated_at" | "completed_at";
        /** @enum {string} */
        ConnectedAccountField: "id" | "name" | "provider" | "license_type" | "api_status" | "status" | "status_reason" | "owner_id" | "visibility" | "address" | "daily_limit" | "min_gap_minutes" | "ramp_up" | "search_limit" | "signature" | "file_sent" | "filing_problem" | "receives" | "last_sync_at" | "mails_in_folder" | "mails_stored" | "mails_unstored" | "mails_waiting" | "behind_since" | "created_at" | "updated_at";
        /** @enum {string} */
        UnstoredMailField: "id" | "account_id" | "uid" | "reason" | "sender" | "subject" | "size" | "received_at" | "created_at";
        /** @enum {string} */
        DomainCheckField: "domain" | "findings";
        /** @enum {string} */
        ConversationField: "id" | "channel" | "status" | "account_id" | "contact_id" | "subject" | "assigned_to" | "snoozed_until" | "unread_count" | "last_message_at" | "active_at" | "created_at" | "updated_at" | "contact";
        /** @enum {string} */
        MessageField: "id" | "conversation_id" | "content" | "quoted" | "html" | "subject" | "direction" | "channel" | "address" | "cc" | "bcc" | "reply_to" | "kind" | "status" | "error" | "attachments" | "send_at" | "sent_at" | "read_at" | "enrollment_id" | "step_id" | "variant_id" | "author_kind" | "author_id" | "author_name" | "contact_id" | "created_at";
        /** @enum {string} */
        MessageDraftField: "id" | "contact_id" | "conversation_id" | "channel" | "content" | "subject" | "account_id" | "cc" | "bcc" | "reply_to" | "attachments" | "signature" | "send_at" | "created_at" | "updated_at";
        /** @enum {string} */
        MessageTemplateField: "id" | "name" | "subject" | "content" | "shared" | "owner_id" | "variables" | "created_at" | "updated_at";
        /** @enum {string} */
        SuppressionField: "id" | "address" | "domain" | "reason" | "created_at";
        /** @enum {string} */
        NetworkLocationField: "id" | "title";
        /** @enum {string} */
        TagField: "id" | "name" | "color" | "scope" | "created_at";
        /** @enum {string} */
        CustomFieldField: "id" | "key" | "label" | "type" | "options" | "is_required" | "position";
        /** @enum {string} */
        ImportField: "id" | "collection" | "format" | "filename" | "mapping" | "ignored_columns" | "match_on" | "dry_run" | "status" | "error" | "progress" | "total" | "processed" | "created" | "updated" | "skipped" | "failed" | "removed" | "restored" | "kept" | "completed_at" | "undone_at" | "created_at" | "updated_at";
        /** @enum {string} */
        ImportErrorField: "row" | "column" | "reason" | "value";
        /** @enum {string} */
        ReasonField: "id" | "kind" | "name" | "position";
        /** @enum {string} */
        MemberField: "user_id" | "first_name" | "last_name" | "email" | "role";
        /** @enum {string} */
        MeField: "key" | "user" | "workspace" | "limits" | "credits";
    };
    responses: {
        /** @description validation_error or malformed_request */
        Invalid: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description invalid_api_key */
        Unauthorized: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description insufficient_credits */
        InsufficientCredits: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description insufficient_scope, insufficient_role, billing_required or plan_upgrade_required */
        Forbidden: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description not_found */
        NotFound: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description method_not_allowed */
        MethodNotAllowed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description idempotency_conflict or erased_address */
        Conflict: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description gone */
        Gone: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description precondition_failed */
        PreconditionFailed: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description payload_too_large or storage_quota_exceeded */
        PayloadTooLarge: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description unsupported_media_type */
        UnsupportedMediaType: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description rate_limit_exceeded */
        TooManyRequests: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description internal_error */
        InternalError: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description unavailable */
        Unavailable: {
            headers: {
                "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
    headers: {
        /** @description Requests per hour */
        "X-RateLimit-Limit": number;
        /** @description Requests left in this window */
        "X-RateLimit-Remaining": number;
        /** @description Unix time at which the window ends */
        "X-RateLimit-Reset": number;
        /** @description Given by the client, or made for it */
        "X-Request-Id": string;
        /** @description The path of what was made */
        Location: string;
        /** @description The record's version and a hash of what is shown of it */
        ETag: string;
        /** @description true: this is the first answer again */
        "Idempotent-Replayed": "true";
        /** @description attachment, and the file's name */
        "Content-Disposition": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    list_contacts: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: first_name, last_name, title, current_company, years_experience, created_at, updated_at, last_contacted_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records of this time or later: an RFC 3339 time or a date. */
                created_after?: components["parameters"]["created_after"];
                /** @description Only records of before this time: an RFC 3339 time or a date. */
                created_before?: components["parameters"]["created_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                first_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                last_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                current_company?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                network_profile?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                email?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                phone?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: new, contacted, replied, qualified, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(new,contacted)"
                 *     ]
                 */
                global_status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: candidate, client, prospect, other. Given several times, all must hold.
                 * @example [
                 *       "in.(candidate,client)"
                 *     ]
                 */
                contact_type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                skills?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                languages?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                years_experience?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                do_not_contact?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_contacted_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_contacts: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactField"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ContactSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_contact: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archive_contact: {
        parameters: {
            query?: {
                /** @description `true` erases the record and everything that belongs to it, instead of archiving it. */
                erase?: "true" | "false";
            };
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            /** @description A job completes it */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_contact_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    tag_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TagChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    untag_contact: {
        parameters: {
            query?: {
                /** @description The tag by its id; or give `name`. */
                tag_id?: string;
                /** @description The tag by its name; or give `tag_id`. */
                name?: string;
            };
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TagChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    contact_timeline: {
        parameters: {
            query?: {
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EventField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_contact_cv: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactCvField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ContactCv"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_contact_cv: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ContactCvForm"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ContactCv"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ContactCv"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_contact_cv: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    download_contact_cv: {
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_files: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["FileField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_contact_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
                "application/json": components["schemas"]["FileInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_contact_file: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["FileField"][];
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_contact_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    download_contact_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_files: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["FileField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upload_project_file: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["FileForm"];
                "application/json": components["schemas"]["FileInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project_file: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["FileField"][];
            };
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["File"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_project_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    download_project_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                file_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_companies: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, employee_count, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                domain?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                website?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                industry?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                employee_count?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001+. Given several times, all must hold.
                 * @example [
                 *       "in.(1-10,11-50)"
                 *     ]
                 */
                size_range?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["CompanyField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_company: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_companies: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["CompanyField"][];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CompanySearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_company: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["CompanyField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_company: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archive_company: {
        parameters: {
            query?: {
                /** @description `true` erases the record and everything that belongs to it, instead of archiving it. */
                erase?: "true" | "false";
            };
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            /** @description A job completes it */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Erasure"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_company_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CompanyUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    tag_company: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TagChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    untag_company: {
        parameters: {
            query?: {
                /** @description The tag by its id; or give `name`. */
                tag_id?: string;
                /** @description The tag by its name; or give `tag_id`. */
                name?: string;
            };
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TagChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_company_contacts: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: first_name, last_name, title, current_company, years_experience, created_at, updated_at, last_contacted_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records of this time or later: an RFC 3339 time or a date. */
                created_after?: components["parameters"]["created_after"];
                /** @description Only records of before this time: an RFC 3339 time or a date. */
                created_before?: components["parameters"]["created_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                first_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                last_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                current_company?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                network_profile?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                email?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                phone?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: new, contacted, replied, qualified, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(new,contacted)"
                 *     ]
                 */
                global_status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: candidate, client, prospect, other. Given several times, all must hold.
                 * @example [
                 *       "in.(candidate,client)"
                 *     ]
                 */
                contact_type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                skills?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                languages?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                years_experience?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                do_not_contact?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_contacted_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    company_timeline: {
        parameters: {
            query?: {
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EventField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deals: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: title, amount, expected_close_date, probability, closed_at, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: open, won, lost, disqualified. Given several times, all must hold.
                 * @example [
                 *       "in.(open,won)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                signed_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                currency?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                expected_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                expected_close_date?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                probability?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                pipeline_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                stage_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                primary_source_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                closed_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_deal: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealWholeField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealWhole"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archive_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_deal_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    move_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StageChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    move_deal_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StageChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    close_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DealClose"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reopen_deal: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deal_contacts: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: first_name, last_name, title, current_company, years_experience, created_at, updated_at, last_contacted_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records of this time or later: an RFC 3339 time or a date. */
                created_after?: components["parameters"]["created_after"];
                /** @description Only records of before this time: an RFC 3339 time or a date. */
                created_before?: components["parameters"]["created_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                first_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                last_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                current_company?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                network_profile?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                email?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                phone?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: new, contacted, replied, qualified, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(new,contacted)"
                 *     ]
                 */
                global_status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: candidate, client, prospect, other. Given several times, all must hold.
                 * @example [
                 *       "in.(candidate,client)"
                 *     ]
                 */
                contact_type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                skills?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                languages?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                years_experience?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                do_not_contact?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_contacted_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ContactField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    link_deal_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactChoice"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealContact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unlink_deal_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                contact_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    deal_timeline: {
        parameters: {
            query?: {
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EventField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_deals: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: title, amount, expected_close_date, probability, closed_at, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: open, won, lost, disqualified. Given several times, all must hold.
                 * @example [
                 *       "in.(open,won)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                signed_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                currency?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                expected_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                expected_close_date?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                probability?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                pipeline_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                stage_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                primary_source_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                closed_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_company_deals: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: title, amount, expected_close_date, probability, closed_at, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: open, won, lost, disqualified. Given several times, all must hold.
                 * @example [
                 *       "in.(open,won)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                signed_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                currency?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                expected_amount?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                expected_close_date?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                probability?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                pipeline_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                stage_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                primary_source_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                closed_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deal"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deal_pipelines: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealPipelineField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_deal_pipeline: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DealPipelineField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DealPipeline"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_duplicate_contacts: {
        parameters: {
            query?: {
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DuplicatesField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Duplicates"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_duplicate_companies: {
        parameters: {
            query?: {
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DuplicatesField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Duplicates"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    merge_contacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Merge"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    undo_contact_merge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    merge_companies: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MergeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Merge"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    undo_company_merge: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Company"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    allow_erased_address: {
        parameters: {
            query?: {
                /** @description An email address, a phone number or the address of a profile. */
                address?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ErasedAddressChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_projects: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, status, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: active, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(active,archived)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                client_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                client_company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectDetailField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_project_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProjectUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    project_timeline: {
        parameters: {
            query?: {
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EventField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_company_projects: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, status, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: active, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(active,archived)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                client_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                client_company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_templates: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectTemplateField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectTemplate"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_entries: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: rating, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                stage_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                rating?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                rejection_reason_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectEntryField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_project_entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntryInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_project_entry: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectEntryField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_project_entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntryUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_project_entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_project_entry_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                entry_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntryUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectEntry"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_entry: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EntryField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntryUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_entry: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_entry_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EntryUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entry"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_entries: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: rating, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                stage_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                rating?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                rejection_reason_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EntryField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Entry"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sync_entries: {
        parameters: {
            query?: {
                /** @description Exclusive: an RFC 3339 time, the checkpoint of the last run. Without it, all entries are returned. */
                updated_after?: string;
                /** @description Related records to include, separated by commas: contact, project, stage. */
                include?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["SyncedEntryField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SyncedEntry"][];
                        meta: components["schemas"]["SyncMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_notes: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-is_pinned,-created_at`.
                 * @example -is_pinned,-created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                is_pinned?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                author_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_contact_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_company_notes: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-is_pinned,-created_at`.
                 * @example -is_pinned,-created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                is_pinned?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                author_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_company_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_deal_notes: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-is_pinned,-created_at`.
                 * @example -is_pinned,-created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                is_pinned?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                author_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_deal_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_notes: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-is_pinned,-created_at`.
                 * @example -is_pinned,-created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                is_pinned?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                author_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_project_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_notes: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                is_pinned?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                author_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_note: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NoteField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_note: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_note_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NoteUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Note"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_tasks: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: status, priority, due_date, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: call, email, network_connect, network_message, chat, todo, reminder, meeting, interview. Given several times, all must hold.
                 * @example [
                 *       "in.(call,email)"
                 *     ]
                 */
                type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: todo, done, skipped. Given several times, all must hold.
                 * @example [
                 *       "in.(todo,done)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: low, medium, high. Given several times, all must hold.
                 * @example [
                 *       "in.(low,medium)"
                 *     ]
                 */
                priority?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                due_date?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                assigned_to?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                completed_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["TaskField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_task: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["TaskField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_task: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_task_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaskUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_tasks: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: status, priority, due_date, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: call, email, network_connect, network_message, chat, todo, reminder, meeting, interview. Given several times, all must hold.
                 * @example [
                 *       "in.(call,email)"
                 *     ]
                 */
                type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: todo, done, skipped. Given several times, all must hold.
                 * @example [
                 *       "in.(todo,done)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: low, medium, high. Given several times, all must hold.
                 * @example [
                 *       "in.(low,medium)"
                 *     ]
                 */
                priority?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                due_date?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                assigned_to?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                deal_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                completed_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["TaskField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Task"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_sequences: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, status, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: draft, active, paused, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(draft,active)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: normal, high. Given several times, all must hold.
                 * @example [
                 *       "in.(normal,high)"
                 *     ]
                 */
                priority?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: simple, advanced. Given several times, all must hold.
                 * @example [
                 *       "in.(simple,advanced)"
                 *     ]
                 */
                mode?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["SequenceField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sequence"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SequenceInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WholeSequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_sequence: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["WholeSequenceField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WholeSequence"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SequenceUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    archive_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_sequence_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SequenceUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    start_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StartedSequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pause_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Sequence"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_project_sequences: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, status, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: draft, active, paused, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(draft,active)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: normal, high. Given several times, all must hold.
                 * @example [
                 *       "in.(normal,high)"
                 *     ]
                 */
                priority?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: simple, advanced. Given several times, all must hold.
                 * @example [
                 *       "in.(simple,advanced)"
                 *     ]
                 */
                mode?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                project_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ProjectSequenceField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectSequence"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_default_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DefaultSequence"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    remove_default_sequence: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    set_default_sequence_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DefaultSequence"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProjectDetail"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    test_step: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                step_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StepTestInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StepTest"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enroll_contacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EnrollInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EnrollResult"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unenroll_contacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UnenrollInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnenrollResult"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_sequence_enrollments: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: active, paused, finished, replied, bounced, unsubscribed, unenrolled, failed. Given several times, all must hold.
                 * @example [
                 *       "in.(active,paused)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EnrollmentField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    sequence_stats: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["StepStatsField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["StepStats"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_enrollments: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: active, paused, finished, replied, bounced, unsubscribed, unenrolled, failed. Given several times, all must hold.
                 * @example [
                 *       "in.(active,paused)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EnrollmentField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_enrollment: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EnrollmentField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    pause_enrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resume_enrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ResumeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_enrollment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Enrollment"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    retry_enrollments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RetryInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["RetryResult"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    upgrade_enrollments: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["UpgradeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UpgradeResult"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolve_messages: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ResolveResult"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    explain_enrollment: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ExplanationField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Explanation"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enrich_contact: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["EnrichInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EnrichmentRequest"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_enrichment_requests: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: pending, processing, completed, failed. Given several times, all must hold.
                 * @example [
                 *       "in.(pending,processing)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EnrichmentRequestField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EnrichmentRequest"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    enrich_contacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrichmentInput"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EnrichmentRequest"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            402: components["responses"]["InsufficientCredits"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_enrichment_request: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EnrichmentRequestField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["EnrichmentRequest"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_connected_accounts: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: email, network, chat. Given several times, all must hold.
                 * @example [
                 *       "in.(email,network)"
                 *     ]
                 */
                provider?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: classic, sales_navigator, recruiter. Given several times, all must hold.
                 * @example [
                 *       "in.(classic,sales_navigator)"
                 *     ]
                 */
                license_type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: connected, disconnected, error. Given several times, all must hold.
                 * @example [
                 *       "in.(connected,disconnected)"
                 *     ]
                 */
                status?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ConnectedAccountField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectedAccount"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_connected_account: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ConnectedAccountField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ConnectedAccount"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_unstored_mails: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["UnstoredMailField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UnstoredMail"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    check_sending_domain: {
        parameters: {
            query?: {
                /** @description The DKIM selector; the usual ones are tried without it. */
                selector?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["DomainCheckField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DomainCheck"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_conversations: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: snoozed_until, last_message_at, active_at, created_at. Default: `-last_message_at`.
                 * @example -last_message_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: email, network, chat. Given several times, all must hold.
                 * @example [
                 *       "in.(email,network)"
                 *     ]
                 */
                channel?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: open, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(open,archived)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                assigned_to?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                snoozed_until?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                unread_count?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_message_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                active_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ConversationField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_conversation: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ConversationField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_conversation_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConversationUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    read_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    unread_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_conversations: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: snoozed_until, last_message_at, active_at, created_at. Default: `-last_message_at`.
                 * @example -last_message_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: email, network, chat. Given several times, all must hold.
                 * @example [
                 *       "in.(email,network)"
                 *     ]
                 */
                channel?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: open, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(open,archived)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                contact_id?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                assigned_to?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                snoozed_until?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                unread_count?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_message_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                active_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ConversationField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Conversation"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_messages: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: send_at, sent_at. Default: `-sent_at`.
                 * @example -sent_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: inbound, outbound. Given several times, all must hold.
                 * @example [
                 *       "in.(inbound,outbound)"
                 *     ]
                 */
                direction?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: email, network, chat. Given several times, all must hold.
                 * @example [
                 *       "in.(email,network)"
                 *     ]
                 */
                channel?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: queued, sent, failed, received. Given several times, all must hold.
                 * @example [
                 *       "in.(queued,sent)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                send_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                sent_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    reply_in_conversation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ReplyInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_all_messages: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: send_at, sent_at. Default: `-sent_at`.
                 * @example -sent_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: inbound, outbound. Given several times, all must hold.
                 * @example [
                 *       "in.(inbound,outbound)"
                 *     ]
                 */
                direction?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: email, network, chat. Given several times, all must hold.
                 * @example [
                 *       "in.(email,network)"
                 *     ]
                 */
                channel?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: queued, sent, failed, received. Given several times, all must hold.
                 * @example [
                 *       "in.(queued,sent)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                send_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                sent_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    send_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["SentMessage"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_message: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_message_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    download_attachment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The id of the record. */
                id: string;
                /** @description The id of the related record. */
                attachment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancel_message: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Message"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_message_drafts: {
        parameters: {
            query?: {
                /** @description Only drafts of messages to this contact. */
                contact_id?: string;
                /** @description Only drafts of replies in this conversation. */
                conversation_id?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageDraftField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDraft"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    save_message_draft: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageDraftInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDraft"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDraft"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_message_draft: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageDraftField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageDraft"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_message_draft: {
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    preview_message: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessagePreviewInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessagePreview"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_message_templates: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, created_at, updated_at. Default: `name`.
                 * @example name
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                shared?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageTemplateField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_message_template: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageTemplateInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_message_template: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MessageTemplateField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_message_template: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageTemplateUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_message_template: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_message_template_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageTemplateUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["MessageTemplate"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_suppressions: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                address?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                domain?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: manual, unsubscribed, complained, bounced. Given several times, all must hold.
                 * @example [
                 *       "in.(manual,unsubscribed)"
                 *     ]
                 */
                reason?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["SuppressionField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suppression"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_suppression: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuppressionInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suppression"];
                    };
                };
            };
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Suppression"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_suppression: {
        parameters: {
            query?: {
                /** @description The suppressed address; or give `domain`. */
                address?: string;
                /** @description The suppressed domain; or give `address`. */
                domain?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SuppressionChoice"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    find_network_locations: {
        parameters: {
            query: {
                /** @description The name of a place, or its beginning. */
                q: string;
                /** @description The connected account. */
                account_id: string;
                /** @description The interface of the network to use; defaults to the best one of the account. */
                api_type?: "classic" | "sales_navigator" | "recruiter";
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["NetworkLocationField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NetworkLocation"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_network_people: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkPeopleSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NetworkPeople"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_network_jobs: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NetworkJobSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["NetworkJobs"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SourcingSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["People"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_candidates: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CandidateSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Candidates"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    add_profiles_to_project: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddToProject"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["AddedToProject"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    search_profiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ProfileSearch"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ProfilesFound"];
                    };
                };
            };
            /** @description validation_error or malformed_request */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description invalid_api_key */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_scope, insufficient_role, billing_required or plan_upgrade_required */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description method_not_allowed */
            405: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description idempotency_conflict or erased_address */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description payload_too_large or storage_quota_exceeded */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unsupported_media_type */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description unavailable */
            503: {
                headers: {
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    list_tags: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                color?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: global, contact, company, deal, project. Given several times, all must hold.
                 * @example [
                 *       "in.(global,contact)"
                 *     ]
                 */
                scope?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["TagField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagInput"];
            };
        };
        responses: {
            /** @description Success */
            201: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    Location: components["headers"]["Location"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_tag: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["TagField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    delete_tag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Deleted"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    update_tag_patch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagUpdate"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Tag"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    merge_tags: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TagMergeInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["TagMerge"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_contact_fields: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["CustomFieldField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_company_fields: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["CustomFieldField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["CustomField"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulk_contacts: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkResults"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulk_companies: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkResults"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulk_tasks: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkResults"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulk_deals: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkResults"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    bulk_entries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkInput"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["BulkResults"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_imports: {
        parameters: {
            query?: {
                /** @description The size of a page. */
                limit?: components["parameters"]["limit"];
                /** @description How many records to skip. */
                offset?: components["parameters"]["offset"];
                /** @description Pages by key, also over large lists: empty for the first page, then `meta.next_cursor`. It can't be combined with `offset`. */
                cursor?: components["parameters"]["cursor"];
                /** @description `none` leaves out `meta.total`, which is faster. */
                count?: components["parameters"]["count"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: created_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: contacts, companies. Given several times, all must hold.
                 * @example [
                 *       "in.(contacts,companies)"
                 *     ]
                 */
                collection?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: csv, ndjson. Given several times, all must hold.
                 * @example [
                 *       "in.(csv,ndjson)"
                 *     ]
                 */
                format?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                dry_run?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: pending, processing, completed, failed, undoing, undone. Given several times, all must hold.
                 * @example [
                 *       "in.(pending,processing)"
                 *     ]
                 */
                status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ImportField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Import"][];
                        meta: components["schemas"]["ListMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    create_import: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Import"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    preview_import: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["ImportForm"];
            };
        };
        responses: {
            /** @description Success */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportPreview"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_import: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ImportField"][];
            };
            header?: {
                /** @description ETags of what the client has, or `*`: 304 without a body if it has the latest. */
                "If-None-Match"?: components["parameters"]["If-None-Match"];
            };
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Import"];
                    };
                };
            };
            /** @description The client has it already */
            304: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_import_errors: {
        parameters: {
            query?: {
                /** @description `json`, by page, or `csv`, all of them as a file. */
                format?: "json" | "csv";
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Empty for the first page, then meta.next_cursor. */
                cursor?: string;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ImportErrorField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ImportError"][];
                        meta: components["schemas"]["CursorMeta"];
                    };
                    "text/csv": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    undo_import: {
        parameters: {
            query?: never;
            header?: {
                /** @description Sent again with the same key within 24 hours, the request is not carried out again and gets the first answer. */
                "Idempotency-Key"?: components["parameters"]["Idempotency-Key"];
                /** @description ETags of the record that the path names, or `*`: 412, and nothing is changed, if it is at another version. */
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                /** @description The id of the record. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Success */
            202: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    ETag: components["headers"]["ETag"];
                    "Idempotent-Replayed": components["headers"]["Idempotent-Replayed"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Import"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            405: components["responses"]["MethodNotAllowed"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_contacts: {
        parameters: {
            query?: {
                /** @description The format of the file. */
                format?: components["parameters"]["format"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: first_name, last_name, title, current_company, years_experience, created_at, updated_at, last_contacted_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records of this time or later: an RFC 3339 time or a date. */
                created_after?: components["parameters"]["created_after"];
                /** @description Only records of before this time: an RFC 3339 time or a date. */
                created_before?: components["parameters"]["created_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                first_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                last_name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                title?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                current_company?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                network_profile?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                email?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                phone?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: new, contacted, replied, qualified, archived. Given several times, all must hold.
                 * @example [
                 *       "in.(new,contacted)"
                 *     ]
                 */
                global_status?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: candidate, client, prospect, other. Given several times, all must hold.
                 * @example [
                 *       "in.(candidate,client)"
                 *     ]
                 */
                contact_type?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                company_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                skills?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                languages?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                years_experience?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.true"
                 *     ]
                 */
                do_not_contact?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                last_contacted_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    export_companies: {
        parameters: {
            query?: {
                /** @description The format of the file. */
                format?: components["parameters"]["format"];
                /**
                 * @description Fields separated by commas, each with `-` before it for descending: name, employee_count, created_at, updated_at. Default: `-created_at`.
                 * @example -created_at
                 */
                sort?: string;
                /** @description At least one of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                or?: components["parameters"]["or"];
                /** @description All of these must hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                and?: components["parameters"]["and"];
                /** @description None of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.or"?: components["parameters"]["not.or"];
                /** @description Not all of these may hold: `(field.operator.value,field.operator.value)`. Groups may contain `or(…)` and `and(…)`. */
                "not.and"?: components["parameters"]["not.and"];
                /** @description Only records that changed after this RFC 3339 time, in the order of their changes. */
                updated_after?: components["parameters"]["updated_after"];
                /** @description Only records that last changed until this RFC 3339 time. */
                updated_before?: components["parameters"]["updated_before"];
                /** @description Words that must all occur, whatever their accents and case. */
                search?: components["parameters"]["search"];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                name?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                domain?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                website?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                industry?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.1",
                 *       "lt.100"
                 *     ]
                 */
                employee_count?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Values: 1-10, 11-50, 51-200, 201-500, 501-1000, 1001-5000, 5001-10000, 10001+. Given several times, all must hold.
                 * @example [
                 *       "in.(1-10,11-50)"
                 *     ]
                 */
                size_range?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, like, ilike, in, is. Given several times, all must hold.
                 * @example [
                 *       "ilike.*ann*"
                 *     ]
                 */
                location?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, in, is. Given several times, all must hold.
                 * @example [
                 *       "eq.01890a5d-ac96-774b-bcce-b302099a8057"
                 *     ]
                 */
                owner_id?: string | string[];
                /**
                 * @description `operator.value`; operators: cs, ov, is. Given several times, all must hold.
                 * @example [
                 *       "cs.{VIP}"
                 *     ]
                 */
                tags?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                created_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                updated_at?: string | string[];
                /**
                 * @description `operator.value`; operators: eq, neq, gt, gte, lt, lte, in, is. Given several times, all must hold.
                 * @example [
                 *       "gte.2026-01-01",
                 *       "lt.2026-02-01"
                 *     ]
                 */
                archived_at?: string | string[];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    "Content-Disposition": components["headers"]["Content-Disposition"];
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                    "application/x-ndjson": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_reasons: {
        parameters: {
            query?: {
                /** @description Only this kind. */
                kind?: "rejection" | "close" | "loss" | "source";
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["ReasonField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Reason"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_events: {
        parameters: {
            query?: {
                /** @description The sequence after which the page begins: `meta.last` of the previous page. Without it the feed begins with the oldest available event; `latest` is its current end. */
                after?: string;
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
                /** @description The size of a page; 50 if not given. */
                limit?: number;
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["EventField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Event"][];
                        meta: components["schemas"]["FeedMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    stream_events: {
        parameters: {
            query?: {
                /** @description The sequence after which the stream begins, unless there is a `Last-Event-ID`. Without it the stream begins now. */
                after?: string;
                /** @description Kinds or types of events, separated by commas: `note,contact.updated`. */
                types?: string;
            };
            header?: {
                /** @description The last id that the client has seen: the stream continues after it. */
                "Last-Event-ID"?: components["parameters"]["Last-Event-ID"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events as they happen */
            200: {
                headers: {
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    list_members: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MemberField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Member"][];
                        meta: components["schemas"]["OffsetMeta"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    get_me: {
        parameters: {
            query?: {
                /** @description Members to show, separated by commas; `id` is always shown. Without it all members are shown. */
                fields?: components["schemas"]["MeField"][];
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
                    "X-RateLimit-Limit": components["headers"]["X-RateLimit-Limit"];
                    "X-RateLimit-Remaining": components["headers"]["X-RateLimit-Remaining"];
                    "X-RateLimit-Reset": components["headers"]["X-RateLimit-Reset"];
                    "X-Request-Id": components["headers"]["X-Request-Id"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["Me"];
                    };
                };
            };
            400: components["responses"]["Invalid"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            405: components["responses"]["MethodNotAllowed"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
