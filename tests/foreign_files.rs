//! Files as other systems export them, with the columns that they have there: imported without a mapping.

use serde_json::{Value, json};

use crate::imports::{counts, import, send};
use crate::support::*;

stories![files_of_other_systems_need_no_mapping, companies_of_other_systems_need_no_mapping, columns_can_be_refused];

struct File {
    system: &'static str,
    text: &'static str,
    /// Members of the first record.
    gives: fn() -> Value,
    ignored: &'static [&'static str],
}

const CONTACTS: &[File] = &[
    File {
        system: "HubSpot",
        text: "Record ID,First Name,Last Name,Email,Phone Number,Mobile Phone Number,Contact owner,Associated Company,Job Title,Lead Status,City,Country/Region,Unsubscribed from all email,Create Date\n\
               51,Ada,Martin,ada1@example.com,+49 30 1,+49 170 1,Eva,Acme,CEO,NEW,Berlin,Germany,true,2024-03-05 10:12\n",
        gives: || json!({"first_name": "Ada", "last_name": "Martin", "title": "CEO", "current_company": "Acme", "location": "Berlin", "do_not_contact": true}),
        ignored: &["Record ID", "Contact owner", "Lead Status", "Country/Region", "Create Date"],
    },
    File {
        system: "Salesforce, object",
        text: "\"Id\",\"Salutation\",\"FirstName\",\"LastName\",\"Title\",\"Account Name\",\"Email\",\"Phone\",\"MobilePhone\",\"MailingCity\",\"HasOptedOutOfEmail\",\"LeadSource\"\n\
               \"0035g00000AbCdE\",\"Ms.\",\"Ada\",\"Martin\",\"CEO\",\"Acme\",\"ada2@example.com\",\"+49 30 2\",\"+49 170 2\",\"Berlin\",\"false\",\"Web\"\n",
        gives: || json!({"first_name": "Ada", "title": "CEO", "current_company": "Acme", "location": "Berlin", "do_not_contact": false}),
        ignored: &["Salutation", "LeadSource"],
    },
    File {
        system: "Pipedrive, long",
        text: "Person - Name,Person - First name,Person - Last name,Person - Organization,Person - Email - Work,Person - Email - Home,Person - Phone - Work,Person - Phone - Mobile,Person - Label,Person - Owner\n\
               Ada Martin,Ada,Martin,Acme,ada3@example.com,home3@example.com,+49 30 3,+49 170 3,Hot,Eva\n",
        gives: || {
            json!({"first_name": "Ada", "last_name": "Martin", "current_company": "Acme", "tags": ["Hot"],
            "emails": [{"email": "ada3@example.com", "type": "work"}, {"email": "home3@example.com", "type": "personal"}]})
        },
        ignored: &["Person - Owner"],
    },
    File {
        system: "Pipedrive, short",
        text: "Name,Organization,Email,Phone\nLudwig van Beethoven,Acme,ada4@example.com,+49 30 4\n",
        gives: || json!({"first_name": "Ludwig", "last_name": "van Beethoven", "current_company": "Acme"}),
        ignored: &[],
    },
    File {
        system: "Bullhorn",
        text: "ID,First Name,Last Name,Primary Email,Email 2,Mobile Phone,Work Phone,Status,Occupation,Current Company,City,Primary Skills,Source\n\
               9,Ada,Martin,ada5@example.com,two5@example.com,+49 170 5,+49 30 5,Active,Engineer,Acme,Berlin,Rust;Go,Web\n",
        gives: || {
            json!({"title": "Engineer", "skills": ["Rust", "Go"], "global_status": "new",
            "phones": [{"phone": "+49 170 5", "type": "personal"}, {"phone": "+49 30 5", "type": "work"}]})
        },
        ignored: &["Status", "Source"],
    },
    File {
        system: "Greenhouse",
        text: "Candidate ID,First Name,Last Name,Title,Company,Email,Phone,Tags,Source,Applied On\n\
               77,Ada,Martin,CEO,Acme,ada6@example.com,+49 30 6,VIP,Referral,2024-01-02\n",
        gives: || json!({"first_name": "Ada", "title": "CEO", "tags": ["VIP"]}),
        ignored: &["Candidate ID", "Source", "Applied On"],
    },
    File {
        system: "Lever",
        text: "Opportunity ID,Name,Email,Phone,Current company,Current title,Location,Tags,Stage,Owner\n\
               x1,\"Martin, Ada\",ada7@example.com,+49 30 7,Acme,CEO,Berlin,VIP,Phone screen,Eva\n",
        gives: || json!({"first_name": "Ada", "last_name": "Martin", "current_company": "Acme", "title": "CEO", "location": "Berlin"}),
        ignored: &["Opportunity ID", "Stage", "Owner"],
    },
    File {
        system: "Zoho",
        text: "Record Id,First Name,Last Name,Account Name,Email,Secondary Email,Phone,Mobile,Title,Mailing City,Email Opt Out,Tag\n\
               zcrm_1,Ada,Martin,Acme,ada8@example.com,two8@example.com,+49 30 8,+49 170 8,CEO,Berlin,true,VIP\n",
        gives: || json!({"current_company": "Acme", "title": "CEO", "do_not_contact": true, "tags": ["VIP"]}),
        ignored: &["Record Id"],
    },
    File {
        system: "Teamtailor",
        text: "First name,Last name,Email,Phone,LinkedIn URL,Tags,Pitch,Created at,Source\n\
               Ada,Martin,ada9@example.com,+49 30 9,https://network.example.com/in/ada9,VIP,Loves data,2024-01-02,Referral\n",
        gives: || json!({"first_name": "Ada", "summary": "Loves data", "network_profile": "https://network.example.com/in/ada9"}),
        ignored: &["Source"],
    },
    File {
        system: "the network's connections",
        text: "Notes:\n\"When exporting your connection data, you may notice that some of the email addresses are missing.\"\n\n\
               First Name,Last Name,URL,Email Address,Company,Position,Connected On\n\
               Ada,Martin,https://network.example.com/in/ada10,ada10@example.com,Acme,CEO,05 Mar 2024\n",
        gives: || json!({"first_name": "Ada", "title": "CEO", "network_profile": "https://network.example.com/in/ada10"}),
        ignored: &["Connected On"],
    },
    File {
        system: "Google",
        text: "Name,Given Name,Family Name,Organization Name,Organization Title,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - City,Labels\n\
               Ada Martin,Ada,Martin,Acme,CEO,Work,ada11@example.com,two11@example.com,Mobile,+49 30 11,Berlin,VIP\n",
        gives: || json!({"first_name": "Ada", "last_name": "Martin", "current_company": "Acme", "title": "CEO", "location": "Berlin", "tags": ["VIP"]}),
        ignored: &["E-mail 1 - Label", "Phone 1 - Label"],
    },
    File {
        system: "Outlook",
        text: "Title,First Name,Middle Name,Last Name,Company,Job Title,Business City,Home Phone,Mobile Phone,Business Phone,E-mail Address,E-mail 2 Address,Notes,Categories\n\
               Dr.,Ada,B,Martin,Acme,CEO,Berlin,+49 30 121,+49 170 12,+49 30 122,ada12@example.com,two12@example.com,Met in 2020,VIP\n",
        gives: || json!({"first_name": "Ada", "title": "CEO", "location": "Berlin", "tags": ["VIP"]}),
        ignored: &["Title", "Middle Name", "Notes"],
    },
    File {
        system: "German",
        text: "Vorname;Name;Firma;Funktion;E-Mail;Telefon;Handy;Ort;Abgemeldet;Bemerkung\n\
               Jürgen;Groß;Müller GmbH;Leiter;ada13@example.com;+49 30 13;+49 170 13;Köln;ja;kennt Eva\n",
        gives: || json!({"first_name": "Jürgen", "last_name": "Groß", "current_company": "Müller GmbH", "title": "Leiter", "location": "Köln", "do_not_contact": true}),
        ignored: &["Bemerkung"],
    },
    File {
        system: "French",
        text: "Prénom;Nom;Société;Fonction;Courriel;Téléphone;Portable;Ville\n\
               Zoé;Müller;Acme;Directrice;ada14@example.com;+33 1 14;+33 6 14;Lyon\n",
        gives: || json!({"first_name": "Zoé", "last_name": "Müller", "current_company": "Acme", "title": "Directrice", "location": "Lyon"}),
        ignored: &[],
    },
    File {
        system: "Spanish",
        text: "Nombre,Apellidos,Empresa,Cargo,Correo electrónico,Teléfono,Ciudad\nJosé,García López,Acme,Director,ada15@example.com,+34 91 15,Madrid\n",
        gives: || json!({"first_name": "José", "last_name": "García López", "title": "Director", "location": "Madrid"}),
        ignored: &[],
    },
    File {
        system: "Italian",
        text: "Nome,Cognome,Azienda,Ruolo,E-mail,Telefono,Città\nGiulia,Rossi,Acme,Direttrice,ada16@example.com,+39 06 16,Roma\n",
        gives: || json!({"first_name": "Giulia", "last_name": "Rossi", "current_company": "Acme", "location": "Roma"}),
        ignored: &[],
    },
    File {
        system: "Dutch",
        text: "Voornaam;Achternaam;Bedrijf;Functie;E-mailadres;Telefoonnummer;Woonplaats\nSanne;de Vries;Acme;Directeur;ada17@example.com;+31 20 17;Utrecht\n",
        gives: || json!({"first_name": "Sanne", "last_name": "de Vries", "title": "Directeur", "location": "Utrecht"}),
        ignored: &[],
    },
    File {
        system: "Portuguese",
        text: "Nome,Sobrenome,Empresa,Cargo,E-mail,Celular,Cidade\nJoão,Silva,Acme,Diretor,ada18@example.com,+55 11 18,Recife\n",
        gives: || json!({"first_name": "João", "last_name": "Silva", "current_company": "Acme", "location": "Recife"}),
        ignored: &[],
    },
];

#[track_caller]
fn brought(key: &Client, collection: &str, file: &File) -> Value {
    let done = import(key, json!({"collection": collection}), "export.csv", file.text);
    assert_eq!(counts(&done), [1, 1, 0, 0, 0], "{}: {done}", file.system);
    assert_eq!(strings(&done["ignored_columns"]), file.ignored, "{}: {done}", file.system);
    let newest = key.get(&format!("/{collection}?sort=-created_at&limit=1")).ok();
    newest[0].clone()
}

#[track_caller]
fn compare(file: &File, record: &Value) {
    for (member, value) in (file.gives)().as_object().into_iter().flatten() {
        assert_eq!(&record[member], value, "{}: {member} of {record}", file.system);
    }
}

fn files_of_other_systems_need_no_mapping(world: &World) {
    let key = world.key("crm");
    for file in CONTACTS {
        let contact = brought(&key, "contacts", file);
        compare(file, &contact);
        // Every address in the file is kept.
        let length = |member: &str| contact[member].as_array().map_or(0, Vec::len);
        assert_eq!(length("emails"), file.text.matches("@example.com").count(), "{}: {contact}", file.system);
        assert_eq!(length("phones"), file.text.matches('+').count(), "{}: {contact}", file.system);
    }
}

fn companies_of_other_systems_need_no_mapping(world: &World) {
    let key = world.key("crm");
    for file in [
        File {
            system: "HubSpot",
            text: "Record ID,Company name,Company Domain Name,Company owner,Phone Number,City,Industry,Number of Employees,LinkedIn Company Page\n\
                   5,Acme,acme.example.com,Eva,+49 30 1,Berlin,Software,120,https://network.example.com/company/acme\n",
            gives: || json!({"name": "Acme", "domain": "acme.example.com", "phone": "+49 30 1", "location": "Berlin", "industry": "Software"}),
            ignored: &["Record ID", "Company owner"],
        },
        File {
            system: "Pipedrive",
            text: "Organization - Name,Organization - Label,Organization - Address,Organization - Owner\nBeta,VIP,Berlin,Eva\n",
            gives: || json!({"name": "Beta", "tags": ["VIP"], "location": "Berlin"}),
            ignored: &["Organization - Owner"],
        },
        File {
            system: "German",
            text: "Firmenname;Webseite;Branche;Ort;Telefon\nMüller GmbH;https://mueller.example.com;Bau;Köln;+49 221 1\n",
            gives: || json!({"name": "Müller GmbH", "website": "https://mueller.example.com", "industry": "Bau", "location": "Köln"}),
            ignored: &[],
        },
    ] {
        compare(&file, &brought(&key, "companies", &file));
    }
}

fn columns_can_be_refused(world: &World) {
    let key = world.key("crm");
    let text = "First name,Shoe size,Title,Job title,Position\nAda,38,Dr.,CEO,Head\n";
    let refused = send(&key, &json!({"collection": "contacts", "strict": true}), "people.csv", text.as_bytes());
    refused.error(400, "validation_error").says("Shoe size");
    let fields = member(&refused.json["error"]["details"], "field");
    assert_eq!(fields, ["options.mapping.Shoe size", "options.mapping.Title", "options.mapping.Position"]);
    let mapping = json!({"Shoe size": null, "Title": null, "Position": "summary"});
    let done = import(&key, json!({"collection": "contacts", "strict": true, "mapping": mapping}), "people.csv", text);
    assert_eq!(done["ignored_columns"], json!([]));
    let contact = key.get("/contacts").ok()[0].clone();
    assert_eq!((&contact["title"], &contact["summary"]), (&json!("CEO"), &json!("Head")));

    // The command says what it left out.
    let file = world.file("people.csv");
    std::fs::write(&file, text).expect("the file can be written");
    let path = file.to_str().expect("a UTF-8 path");
    let printed = world.cli(["import", path, "--collection", "contacts"]);
    printed.ok();
    assert!(printed.err.contains("Shoe size, Title, Position"), "{printed}");
    let refused = world.cli(["import", path, "--collection", "contacts", "--strict"]);
    assert!(refused.refused().contains("Shoe size"), "{refused}");
}
