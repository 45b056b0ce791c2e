// What the server leaves in the page (component/__init__.py): elements without a state, and Streamlit's components.

// Runs before Streamlit's page and before our other modules.
import "./base.js";
import { settled } from "./address.js";
import { forget } from "./colour.js";
import { lap } from "./lap.js";
import { again, opened } from "./live.js";
import { endLecture, follow, goTo } from "./lecture.js";
import { watchMountPoints } from "./mount_points.js";
import { ownLecture } from "./own_lecture.js";
import "./phone_menu.js";
import { whenConnectedAgain } from "./reopen.js";
import { enter, leave } from "./room.js";
import { roomPanel } from "./room_panel.js";
import { tellsPlace } from "./saved_place.js";
import { share, speak } from "./share.js";
import { takeTheme } from "./streamlit_theme.js";
import { Thumbnail } from "./thumbnail.js";
import { heard } from "./under_finger.js";
import { Blocks, Views } from "./view.js";
import { vocabulary } from "./vocabulary.js";
import { votes } from "./votes.js";
import { watchTables } from "./wide_tables.js";

watchTables();
watchMountPoints((place, data) => {
  if (data.views) return placed(place, () => new Views(place, data.views));
  if (data.share) return share(place, data.share, vocabulary.words);
  if (data.thumbnail) return placed(place, () => new Thumbnail(place, data.thumbnail));
  if (data.computed) again();
  if (data.settings) {
    settled(data.settings, null);
    heard();
  }
  return () => {};
});

export function render({ parentElement, data, setStateValue, setTriggerValue }) {
  takeTheme(parentElement);
  if (data.settings) {
    settled(data.settings, (given) => setStateValue("given", given));
    heard();
    return () => {};
  }
  if ("lap" in data) return lap(data.lap, setTriggerValue);
  if (data.palette) {
    paint(data.palette);
    return own("palette", parentElement, () => paint(null));
  }
  if (data.lecture) {
    follow(data.lecture, (stop) => setTriggerValue("stop", stop));
    return own("lecture", parentElement, endLecture);
  }
  if (data.own) {
    ownLecture(data.own, (found) => setTriggerValue("found", found));
    return tellsPlace((place) => setStateValue("place", place));
  }
  if (data.room) {
    enter(data.room, goTo);
    const end = votes(parentElement, data);
    const ends = own("room", parentElement, leave);
    return () => {
      end();
      ends();
    };
  }
  if (data.roomPanel) return roomPanel(parentElement, data.roomPanel);
  if (data.blocks) {
    const end = placed(parentElement, () => new Blocks(parentElement));
    views.get(parentElement).draw(data.blocks);
    return end;
  }
  if (data.words) {
    vocabulary.words = data.words;
    whenConnectedAgain(() => setTriggerValue("again", Date.now()));
    speak(vocabulary.words);
    document.documentElement.lang = data.words.language;
    opened(data.context);
    redraw();
    return () => {};
  }
  return () => {};
}

const views = new Map();

// A place for the part that `make` draws; the part stays as long as the place.
function placed(parent, make) {
  if (!views.has(parent)) views.set(parent, make());
  return () => {
    views.get(parent)?.remove();
    views.delete(parent);
  };
}

function redraw() {
  views.forEach((one) => one.redraw());
}

// After a change of the page, Streamlit mounts the next part of a kind before it removes the last one. Only the last
// owner removes what both have set.
const owners = new Map();

function own(kind, parent, end) {
  if (!owners.has(kind)) owners.set(kind, new Set());
  const there = owners.get(kind).add(parent);
  return () => {
    there.delete(parent);
    if (![...there].some((other) => other.isConnected)) end();
  };
}

// Set the palette of the page; figures that are there take its colours.
function paint(palette) {
  if (palette) document.documentElement.dataset.palette = palette;
  else delete document.documentElement.dataset.palette;
  forget();
  redraw();
}
