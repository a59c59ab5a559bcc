// Light and dark: the system's choice until the reader presses the button.
import { element } from "./dom.js";

const KEY = "heddle-theme";
const dark = window.matchMedia("(prefers-color-scheme: dark)");

// Files without an origin may have no storage.
function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function apply(theme) {
  document.documentElement.dataset.theme = theme || (dark.matches ? "dark" : "light");
  document.dispatchEvent(new Event("theme"));
}

export function themeButton() {
  const button = element("button", {
    type: "button",
    class: "theme",
    onclick: () => {
      const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
      try {
        localStorage.setItem(KEY, theme);
      } catch {
        // The choice lasts as long as the page.
      }
      apply(theme);
      name();
    },
  });
  const name = () =>
    (button.textContent = document.documentElement.dataset.theme === "dark" ? "Light" : "Dark");
  apply(stored());
  dark.addEventListener("change", () => {
    if (!stored()) apply(null);
    name();
  });
  // Paper is white, and charts are drawn for it after that.
  window.addEventListener("beforeprint", () => {
    apply("light");
    document.dispatchEvent(new Event("paper"));
  });
  window.addEventListener("afterprint", () => apply(stored()));
  name();
  return button;
}
