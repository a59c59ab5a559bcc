// HTML elements without a template language.

// element("td", { class: "number", onclick: act }, "text", child): attributes whose name begins
// with "on" are listeners; an attribute or a child that is null, undefined or false is left out.
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (name in made && typeof value !== "string") made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(
    ...children.flat().filter((child) => child !== null && child !== undefined && child !== false),
  );
  return made;
}

// Text with `code` and *emphasis*; [words](address) keep their words.
export function prose(text) {
  return text
    .replace(/\[([^\]]+)\]\([^)]+\)/g, "$1")
    .split(/(`[^`]+`|\*[^*\s][^*]*\*)/)
    .map((part) => {
      if (part.length > 2 && part.startsWith("`")) return element("code", {}, part.slice(1, -1));
      if (part.length > 2 && part.startsWith("*")) return element("em", {}, part.slice(1, -1));
      return part;
    });
}

// A labelled <select>. choices: [value, label] or [value, label, group]; act gets the value.
export function choice(label, choices, chosen, act) {
  const groups = new Map();
  const select = element("select", { onchange: () => act(select.value) });
  for (const [value, text, group] of choices) {
    let place = select;
    if (group) {
      if (!groups.has(group))
        groups.set(group, select.appendChild(element("optgroup", { label: group })));
      place = groups.get(group);
    }
    place.append(element("option", { value, selected: value === chosen }, text));
  }
  return element("label", { class: "choice" }, label, " ", select);
}

export function checkbox(label, checked, act) {
  const box = element("input", { type: "checkbox", checked, onchange: () => act(box.checked) });
  return element("label", { class: "choice" }, box, " ", label);
}

// A paragraph that changes fields of `state`. fields: [label, field, choices as above], a checkbox
// without choices; false ones are left out. Nothing when none is left.
export function controls(state, update, ...fields) {
  const made = fields.filter(Boolean).map(([label, field, choices]) => {
    const change = (value) => {
      state[field] = value;
      update();
    };
    return choices
      ? choice(label, choices, state[field], change)
      : checkbox(label, state[field], change);
  });
  return made.length ? element("p", { class: "controls" }, made) : null;
}

// Choices of values that have keys and labels.
export const choicesOf = (list) => list.map((one) => [one.key, one.label]);

// Offers `text` as a file, without a server.
export function save(name, text) {
  const link = element("a", { href: URL.createObjectURL(new Blob([text])), download: name });
  link.click();
  URL.revokeObjectURL(link.href);
}
