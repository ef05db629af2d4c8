//! Secrets that their issuers gave a recognisable form: the rule kinds that gitleaks made known, written
//! anew from the issuers' own descriptions. A masked or made-up token (`xxxx`, `EXAMPLE`) is none.

use nearside_types::EntityType;

use super::secret::is_real;
use crate::recognizer::{Edges, Recognizer, Trigger, Verdict};

const fn token(
    name: &'static str,
    words: &'static [&'static str],
    pattern: &'static str,
) -> Recognizer {
    Recognizer {
        name,
        kind: EntityType::Secret,
        pattern,
        trigger: Trigger::Words(words),
        edges: Edges::Free,
        check: |c| {
            // Inside a longer run of letters it is data that happens to hold the same signs.
            let sign = |ch: char| ch.is_ascii_alphanumeric();
            let coloured = c.before().ends_with('m')
                && c.before().rsplit('\u{1b}').next().is_some_and(|t| t.len() <= 10)
                && c.before().contains('\u{1b}');
            let runs_in = c.before().ends_with(sign) && c.text().starts_with(sign) && !coloured;
            let runs_on = c.after().starts_with(sign) && c.text().ends_with(sign)
                || c.after().starts_with('~');
            // A picture or a script whose name has the same signs.
            let file = c.after().starts_with('.')
                && ["png", "jpg", "gif", "svg", "js", "css", "html", "json", "woff"]
                    .iter()
                    .any(|e| c.after().get(1..).is_some_and(|rest| rest.starts_with(e)));
            let glued = runs_in || runs_on || file;
            Verdict::sure_if(!glued && is_real(c.text()), "an issuer's token form")
        },
        context: &[],
        against: &[],
        score: 97,
        in_context: 97,
        when_sure: 97,
        reach: Some((80, 900)),
    }
}

/// A key of several lines: its end may be far from its name.
const fn block(
    name: &'static str,
    words: &'static [&'static str],
    pattern: &'static str,
) -> Recognizer {
    Recognizer { reach: None, ..token(name, words, pattern) }
}

pub(super) const ALL: &[Recognizer] = &[
    token(
        "aws_key_id",
        &["akia", "asia", "abia", "acca", "a3t"],
        r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}",
    ),
    token("aws_mws", &["amzn.mws"], r"amzn\.mws\.[0-9a-z]{8}(?:-[0-9a-z]{4}){3}-[0-9a-z]{12}"),
    token("aws_bedrock_long", &["absk"], r"ABSK[A-Za-z0-9+/]{109,269}={0,2}"),
    token("aws_bedrock_short", &["bedrock-api-key-"], r"bedrock-api-key-[A-Za-z0-9+/=]{30,}"),
    token(
        "github",
        &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"],
        r"gh[pousr]_[A-Za-z0-9_]{36,}(?:\.[A-Za-z0-9_\-]+){0,2}",
    ),
    token(
        "github_installation",
        &["ghs_"],
        r"ghs_\d{4,12}_[A-Za-z0-9_\-]{20,}\.[A-Za-z0-9_\-]+\.[A-Za-z0-9_\-]+",
    ),
    token("github_fine_grained", &["github_pat_"], r"github_pat_[A-Za-z0-9_]{36,}"),
    token(
        "gitlab",
        &[
            "glpat-",
            "glwt-",
            "_gitlab_session=",
            "glptt-",
            "gldt-",
            "glrt-",
            "glcbt-",
            "glimt-",
            "glft-",
            "glagent-",
            "glsoat-",
            "gloas-",
            "glffct-",
            "glrtr-",
            "gr1348941",
        ],
        r"(?:gl(?:pat|wt|ptt|dt|rt|rtr|cbt|imt|ft|agent|soat|oas|ffct)-[0-9a-zA-Z_\-.]{14,}|GR1348941[0-9a-zA-Z_\-]{20}|_gitlab_session=[0-9a-f]{32})",
    ),
    token(
        "slack",
        &["xox", "xapp-"],
        r"(?i)(?:xox[abposre](?:\.xox[bp])?-(?:\d{1,2}-)?[0-9a-z\-]{14,}|xapp-\d-[a-z0-9]+-\d+-[a-z0-9]+)",
    ),
    token(
        "slack_webhook",
        &["hooks.slack.com"],
        r"(?:https?://)?hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{40,90}",
    ),
    token(
        "stripe",
        &["sk_", "rk_", "pk_", "whsec_"],
        r"(?:(?:sk|rk|pk)_(?:test|live|prod)_[A-Za-z0-9]{10,99}|whsec_[A-Za-z0-9+/=]{24,64})",
    ),
    token("google_api", &["aiza"], r"AIza[\w\-]{35}"),
    token(
        "google_oauth",
        &["gocspx-", "ya29.", "1//0"],
        r"(?:GOCSPX-[A-Za-z0-9_\-]{20,40}|ya29\.[A-Za-z0-9_\-.]{30,}|1//0[A-Za-z0-9_\-]{40,})",
    ),
    token(
        "google_oauth_id",
        &["apps.googleusercontent.com"],
        r"\d{6,20}-[a-z0-9_]{20,40}\.apps\.googleusercontent\.com",
    ),
    token("openai", &["sk-"], r"sk-(?:proj-|svcacct-|admin-|None-)?[A-Za-z0-9_\-]{20,}"),
    token("anthropic", &["sk-ant-"], r"sk-ant-[a-z]{3,8}\d{2}-[A-Za-z0-9_\-]{60,}"),
    token(
        "huggingface",
        &["hf_", "api_org_"],
        r"(?:hf_[A-Za-z]{34}|hf_[A-Za-z0-9]{30,40}|api_org_[A-Za-z]{34})",
    ),
    token(
        "jwt",
        &["eyj"],
        r"ey[A-Za-z0-9_\-]{14,}\.ey[A-Za-z0-9_/\-]{14,}(?:\.[A-Za-z0-9_/\-]{10,}={0,2})?",
    ),
    token(
        "grafana",
        &["glc_", "glsa_", "eyjrijoi"],
        r"(?:glc_[A-Za-z0-9+/]{32,}={0,3}|glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|eyJrIjoi[A-Za-z0-9+/=]{40,})",
    ),
    token("npm", &["npm_"], r"npm_[A-Za-z0-9]{36}"),
    token("pypi", &["pypi-"], r"pypi-AgEI[A-Za-z0-9_\-]{50,}"),
    token("rubygems", &["rubygems_"], r"rubygems_[a-f0-9]{48}"),
    token("crates", &["cio"], r"cio[A-Za-z0-9]{32}"),
    token("nuget", &["oy2"], r"oy2[a-z0-9]{43}"),
    token("digitalocean", &["do"], r"do[opr]_v1_[a-f0-9]{64}"),
    token("hashicorp_vault", &["hvs.", "hvb.", "s."], r"(?:hv[sb]\.[A-Za-z0-9_\-]{24,})"),
    token("terraform_cloud", &["atlasv1"], r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9\-_=]{60,70}"),
    token("databricks", &["dapi"], r"dapi[a-f0-9]{32}(?:-\d)?"),
    token("doppler", &["dp."], r"dp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9_.\-]{40,60}"),
    token("sendgrid", &["sg."], r"SG\.[A-Za-z0-9_\-]{16,24}\.[A-Za-z0-9_\-]{16,50}"),
    token("brevo", &["xkeysib-", "xsmtpsib-"], r"x(?:keys|smtps)ib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    token("mailgun", &["key-"], r"key-[a-f0-9]{32}"),
    token("mailchimp", &["-us"], r"[A-Za-z0-9]{32,40}-us\d{1,2}\b"),
    token("twilio", &["sk", "ac"], r"\b(?:SK|AC)[0-9a-f]{32}\b"),
    token("telegram", &[":aa"], r"\d{8,10}:AA[A-Za-z0-9_\-]{32,34}"),
    token(
        "discord_bot",
        &["mt", "nd", "oa", "nz", "od"],
        r"[MNO][A-Za-z\d_\-]{23,26}\.[\w\-]{6,7}\.[\w\-]{27,42}",
    ),
    token(
        "discord_webhook",
        &["/api/webhooks/"],
        r"discord(?:app)?\.com/api/webhooks(/\d{17,20}/[A-Za-z0-9_\-]{40,80})",
    ),
    token("shopify", &["shp"], r"shp(?:at|ca|pa|ss|ua)_[a-fA-F0-9]{32}"),
    token(
        "square",
        &["sq0", "eaaa"],
        r"(?:sq0[a-z]{3}-[A-Za-z0-9_\-]{22,50}|EAAA[A-Za-z0-9\-_+=]{60})",
    ),
    token(
        "paypal",
        &["access_token$"],
        r"access_token\$(?:production|sandbox)\$[0-9a-z]{8,24}\$[0-9a-f]{32}",
    ),
    token("facebook", &["eaac", "eaa"], r"EAA[A-Za-z]{0,3}[A-Za-z0-9]{60,}"),
    token("facebook_app", &["|"], r"\d{13,17}\|[A-Za-z0-9_\-]{24,40}"),
    token("instagram", &["igqv"], r"IGQV[A-Za-z0-9_\-]{40,}"),
    token("twitter", &["aaaaaaaaaaaaaaa"], r"A{18,24}[A-Za-z0-9%]{50,}"),
    token(
        "atlassian",
        &["atatt3", "atctt3", "atbb"],
        r"(?:ATATT3|ATCTT3)[A-Za-z0-9_\-=\\%]{60,}|ATBB[A-Za-z0-9_]{28,40}",
    ),
    token(
        "atlassian_server",
        &["mj", "mz", "nd", "nt", "nj", "nz", "od", "ot"],
        r"(?:M[DTjz]|N[DTjz]|O[DT])[A-Za-z0-9+/]{42}",
    ),
    token("azure_ad", &["~"], r"[A-Za-z0-9_~.\-]{3}\dQ~[A-Za-z0-9_~.\-]{31,34}"),
    token("azure_storage", &["accountkey"], r"(?i)AccountKey=([A-Za-z0-9+/]{80,90}={0,2})"),
    token("azure_sas", &["sig="], r"[?&;]sig=([A-Za-z0-9%+/]{40,60}(?:%3D|=){0,2})"),
    token("alibaba", &["ltai"], r"LTAI[A-Za-z0-9]{12,24}"),
    token("tencent", &["akid"], r"AKID[A-Za-z0-9]{28,36}"),
    token("akamai", &["akab-"], r"akab-[a-z0-9]{16}-[a-z0-9]{16}"),
    token(
        "age",
        &["age-secret-key-"],
        r"AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L0-9A-Z]{58}",
    ),
    token("nkey", &["su", "sa", "so"], r"\bS[UAOCN][A-Z2-7]{56}\b"),
    token("defined_networking", &["dnkey-"], r"dnkey-[A-Z0-9]{26}-[A-Z0-9]{52}"),
    token("netlify", &["nfp_"], r"nfp_[A-Za-z0-9_]{36}"),
    token("vercel", &["vc"], r"vc[pikar]_[A-Za-z0-9]{24,60}"),
    token("notion", &["ntn_", "secret_"], r"(?:ntn_\d{9}[A-Za-z0-9]{37}|secret_[A-Za-z0-9]{43})"),
    token("planetscale", &["pscale_"], r"pscale_(?:pw|tkn|oauth)_[A-Za-z0-9_.\-=]{32,64}"),
    token("postman", &["pmak-"], r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    token("pulumi", &["pul-"], r"pul-[a-f0-9]{40}"),
    token("prefect", &["pn"], r"pn[ub]_[A-Za-z0-9]{36}"),
    token("readme", &["rdme_"], r"rdme_[a-z0-9]{70}"),
    token("infracost", &["ico-"], r"ico-[A-Za-z0-9]{32}"),
    token("octopus", &["api-"], r"API-[A-Z0-9]{26}"),
    token("openshift", &["sha256~"], r"sha256~[\w\-]{43}"),
    token(
        "flyio",
        &["fo1_", "fm1", "fm2_"],
        r"(?:fo1_[\w\-]{43}|fm1[ar]_[A-Za-z0-9+/]{100,}={0,3}|fm2_[A-Za-z0-9+/]{100,}={0,3})",
    ),
    token("easypost", &["ezak", "eztk"], r"EZ[AT]K[A-Za-z0-9]{54}"),
    token("linear", &["lin_api_"], r"lin_api_[A-Za-z0-9]{40}"),
    token("figma", &["figd_"], r"figd_[A-Za-z0-9_\-]{40,60}"),
    token("newrelic", &["nrak-", "nrjs-"], r"NR(?:AK|JS)-[A-Za-z0-9]{19,40}"),
    token("sentry", &["sntr"], r"sntr(?:ys|yu)_[A-Za-z0-9+/=_]{40,}"),
    token("dynatrace", &["dt0c01."], r"dt0c01\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token("perplexity", &["pplx-"], r"pplx-[A-Za-z0-9]{40,60}"),
    token(
        "groq",
        &["gsk_", "xai-", "r8_"],
        r"(?:gsk_[A-Za-z0-9]{48,56}|xai-[A-Za-z0-9]{70,90}|r8_[A-Za-z0-9]{37})",
    ),
    token(
        "salesforce",
        &["00d", "3mvg"],
        r"(?:00D[A-Za-z0-9]{12,15}![A-Za-z0-9._]{60,}|3MVG[A-Za-z0-9._]{60,}|\b00D(?:[A-Z]\w{11,14}|[a-z]\w{11,14}))",
    ),
    token("wundergraph", &["cosmo_"], r"cosmo_[a-f0-9]{32}"),
    token(
        "onepassword",
        &["a3-", "ops_"],
        r"(?:A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}|ops_eyJ[A-Za-z0-9+/=]{100,})",
    ),
    token("clickhouse", &["4b1d"], r"4b1d[A-Za-z0-9]{38}"),
    token(
        "sidekiq",
        &["enterprise.contribsys.com", "gems.contribsys.com"],
        r"https?://([a-f0-9]{8}:[a-f0-9]{8})@(?:gems|enterprise)\.contribsys\.com",
    ),
    token("mysql_hash", &["*"], r"\*[0-9A-F]{40}"),
    token("ntlm", &["tlrmtvnt"], r"TlRMTVNTUA[A-Za-z0-9+/]{40,}={0,2}"),
    token(
        "okta",
        &["okta"],
        r"(?i)\bokta[\w.\-\s\x22'\]]{0,30}(?:=|:|=>|:=)\s{0,3}[\x22']?(00[\w\-]{40})\b",
    ),
    token(
        "sumologic",
        &["sumo"],
        r"(?:sumo|SUMO|Sumo)[\w\-]{0,20}(?:\s|\x22|'|:|=){1,8}(su[A-Za-z0-9]{12}|[A-Za-z0-9]{64})\b",
    ),
    token(
        "meraki",
        &["meraki"],
        r"(?i)\bmeraki[\w.\-]{0,20}[\x22']?\s{0,3}(?:=|:|=>|:=)\s{0,3}[\x22']?([0-9a-f]{40})\b",
    ),
    block(
        "private_key",
        &["private key", "openssh private"],
        r"(?s)-----BEGIN[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-----.{20,}?-----END[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-----",
    ),
    block(
        "private_key_cut",
        &["private key"],
        r"-----BEGIN[ A-Z0-9_\-]{0,60}PRIVATE KEY(?: BLOCK)?-----(?:\s|\\n)?(?:[A-Za-z\-]{3,20}: [^\n]{1,100}\n){0,4}[A-Za-z0-9+/=\s\\]{16,}",
    ),
    block(
        "putty_key",
        &["putty-user-key-file"],
        r"(?s)PuTTY-User-Key-File-\d.{20,}?Private-MAC: [0-9a-f]{40,64}",
    ),
];
