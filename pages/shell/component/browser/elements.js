// Make elements of the page, and write into them.

export function make(tag, name, parent) {
  const element = document.createElement(tag);
  element.className = name;
  parent?.append(element);
  return element;
}

export function made(tag, name = "", text = "") {
  const element = make(tag, name);
  element.textContent = text;
  return element;
}

export function button(act, text = "") {
  const element = made("button", "", text);
  element.type = "button";
  element.addEventListener("click", act);
  return element;
}

// Write HTML that the server made from Markdown, in which texts of visitors are escaped.
export function write(element, html) {
  if (element.written === html) return;
  element.written = html;
  element.innerHTML = html;
}
