//! Names in templates, and rendered values.

use super::fill::MOST_PLACEHOLDERS;
use super::*;

#[test]
fn names_are_bounded_in_number_and_length() {
    let names = Names::with(vec!["level".into()]);
    let many: String = (0..=MOST_NAMES).map(|n| format!("{{{{ name_{n} }}}}")).collect();
    assert_eq!(names.check(&many), [format!("fills in {} different names; there may be 300", MOST_NAMES + 1)]);
    let long = names.check(&format!("{{{{ {} }}}}", "a".repeat(LONGEST_NAME + 1)));
    assert!(long[0].ends_with("names have at most 100 characters"), "{long:?}");
    // The second time it is remembered, and names are compared with those of the workspace at hand.
    for _ in 0..2 {
        assert_eq!(
            names.check("{{ custom_data.level }} {{ b }} {{ a }}"),
            ["there is no a to fill in", "there is no b to fill in"]
        );
        assert_eq!(
            Names::with(Vec::new()).check("{{ custom_data.level }}"),
            ["there is no custom_data.level to fill in"]
        );
    }
}

#[test]
fn what_is_missing_needs_a_fallback() {
    let names = serde_json::json!({"first_name": "Ann <a>", "company": {}, "custom_data": {"level": 3}, "tags": ["x"],
        "phones": [{"phone": "0100", "type": "work"}]});
    let filling = Filling::of(names.as_object().expect("an object"));
    for (text, html, expected) in [
        ("Hi {{ first_name }}", false, "Hi Ann <a>"),
        ("<p>{{ first_name }}</p>", true, "<p>Ann &lt;a&gt;</p>"),
        ("{{ last_name | default('there') }}", false, "there"),
        ("{{ company.name | default('you') }}", false, "you"),
        ("{{ custom_data.level }}{% if last_name %}x{% else %}y{% endif %}", false, "3y"),
        ("{{ tags | join(',') }}", false, "x"),
        ("{{ emails[0].email | default('you') }}{{ emails | default('-') }}", false, "you-"),
        ("{{ phones[0].phone }} {{ phones[1].phone | d('none') }}", true, "0100 none"),
        ("{% if emails %}x{% elif emails[0].email is defined %}y{% else %}z{% endif %}", false, "z"),
        ("{% if phones[0].phone is defined and phones %}a{% endif %}", false, "a"),
    ] {
        assert_eq!(filling.fill(text, html), Ok(expected.to_owned()), "{text}");
    }
    for (text, why) in [
        ("Hi {{ last_name }}", "no value for last_name"),
        ("Hi {{ last_name | upper }}", "no value for last_name"),
        ("at {{ company.name }}", "no value for company.name"),
        ("{{ custom_data.team }}", "no value for custom_data.team"),
        ("{{ 'Hi ' ~ last_name }}", "no value for last_name"),
        ("{{ emails[0].email }}", "no value for emails"),
        ("{{ emails[0].email | upper }}", "no value for emails"),
        ("{{ 'to ' ~ emails[0].email }}", "no value for emails"),
        ("{{ emails }}", "no value for emails"),
        ("{{ phones[1].phone }}", "no value for an item of a list"),
    ] {
        let failed = filling.fill(text, false);
        assert!(failed.as_ref().is_err_and(|fault| fault.reason.contains(why)), "{text}: {failed:?}");
    }
}

#[test]
fn a_draft_keeps_placeholders_without_a_value_as_written() {
    let names =
        serde_json::json!({ "first_name": "Ada", "custom_data": {}, "company": {}, "sender": { "name": "Bo" } });
    let filling = Filling::of(names.as_object().expect("an object"));
    for (text, html, expected, missing) in [
        ("Hi {{ first_name }}!", false, "Hi Ada!", ""),
        (
            "{{ first_name }} {{ last_name|upper }} ü {{ sender.name }}",
            false,
            "Ada {{ last_name|upper }} ü Bo",
            "last_name",
        ),
        ("{{ title | default('x') }} at {{ company.name }}", false, "x at {{ company.name }}", "company.name"),
        ("{{ skills | join(', ') }}.", true, ".", ""),
        ("{% if title %}{{ title }}{% else %}{{ last_name }}{% endif %}", false, "{{ last_name }}", "last_name"),
        ("<p>{{ last_name }} &amp; {{ first_name }}</p>", true, "<p>{{ last_name }} &amp; Ada</p>", "last_name"),
        ("\u{1}0\u{1} {{ last_name }}", false, "0 {{ last_name }}", "last_name"),
    ] {
        let drafted = filling.draft(text, html).expect(text);
        assert_eq!((drafted.text.as_str(), drafted.missing.join(" ").as_str()), (expected, missing), "{text}");
    }
    let many = "{{ last_name }}".repeat(MOST_PLACEHOLDERS + 1);
    assert_eq!(filling.draft(&many, false).err().map(|fault| fault.missing), Some(vec!["last_name".to_owned()]));
    assert!(filling.draft("{{ first_name", false).is_err());
}

#[test]
fn names_are_those_of_the_contact_and_of_what_goes_with_it() {
    let names = Names::with(vec!["seniority".into()]);
    for good in [
        "Hi {{ first_name | default(\"there\") }}, {{ custom_data.seniority }} {{ company.name }}",
        "{{ emails[0].email }} {{ skills | join(', ') }} {{ custom_variable_1 }} {{ custom_variable_10 }}",
        "{% if last_name %}{{ last_name }}{% else %}x{% endif %} {# note #} {{ sender.name }}{{ project.name }}",
        "no template at all, 100 % {plain}",
        "{{ 7 / 2 }}{{ 'a' ~ 1 }}{{ not '' }}{{ -1 }}{{ 1 < 2 and 'x' }}{{ (custom_data.seniority | int) / 2 }}",
    ] {
        assert_eq!(names.check(good), Vec::<String>::new(), "{good}");
    }
    for (bad, why) in [
        ("{{ firstname }}", "there is no firstname"),
        ("{{ custom_data.level }}", "there is no custom_data.level"),
        ("{{ custom_data }}", "there is no custom_data "),
        ("{{ company }}", "there is no company "),
        ("{{ first_name.upper() }}", "there is no first_name.upper"),
        ("{{ custom_variable_11 }}", "there is no custom_variable_11"),
        ("{{ custom_variable_01 }}", "there is no custom_variable_01"),
        ("{{ earlier_status }}", "there is no earlier_status"),
        ("{{ range(3) }}", "there is no range"),
        ("{{ first_name | shout }}", "there is no filter shout"),
        ("{{ first_name", "has a syntax error in line 1: `}}` is missing"),
        ("{% if first_name %}Hello", "`{% endif %}` is missing"),
        ("{% for x in tags %}{% endfor %}", "does not take {% for %}"),
        ("{% set x = 1 %}", "does not take {% set %}"),
        ("{{ self }}", "there is no self"),
        ("{% if self.name %}x{% endif %}", "there is no self"),
        ("{{ loop }}", "there is no loop"),
        ("{{ 1/0 }}", "divides by zero"),
        ("{{ 1 // (2 - 2) }}", "divides by zero"),
        ("{{ custom_data.seniority % 0 }}", "divides by zero"),
        ("{% if 1 / 0.0 %}x{% endif %}", "divides by zero"),
        ("{{ 'a' - 1 }}", "do not fit together"),
        ("{{ -'a' }}", "do not fit together"),
    ] {
        let reasons = names.check(bad);
        assert!(reasons.iter().any(|reason| reason.contains(why)), "{bad}: {reasons:?}");
    }
}
