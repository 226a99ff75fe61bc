// An answer as statements `name = body`, read as the grader reads it: comments go, open
// brackets join lines, semicolons separate.

export function statements(text) {
  const found = [];
  let pending = "";
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.split("#")[0].trim();
    if (!line && !pending) continue;
    pending = `${pending} ${line}`.trim();
    if (depth(pending) > 0) continue;
    found.push(...pending.split(";").filter((part) => part.trim()));
    pending = "";
  }
  if (pending) found.push(...pending.split(";").filter((part) => part.trim()));
  return found.map(statement);
}

function depth(text) {
  let open = 0;
  for (const c of text) open += "([{".includes(c) - ")]}".includes(c);
  return open;
}

function statement(text) {
  const match = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*[=:](?!=)(.*)$/su.exec(text);
  return match
    ? { name: match[1], body: match[2].trim(), text: text.trim() }
    : { name: "", body: text.trim(), text: text.trim() };
}

// The bodies of these names; case matters only where it tells two of them apart.
export function assigned(text, names) {
  const found = new Map();
  const all = statements(text);
  for (const { name, body } of all) {
    const alike = names.filter((known) => known.toLowerCase() === name.toLowerCase());
    if (names.includes(name)) found.set(name, body);
    else if (alike.length === 1) found.set(alike[0], body);
    else if (!name && all.length === 1 && names.length === 1) found.set(names[0], body);
  }
  return found;
}
