// What the browser's own types do not know: what a selector finds has the properties that its name promises.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Window {
  Plotly: any;
  __streamlit: any;
}

// Targets of events are elements, or the document, which has neither of the two.
interface EventTarget {
  closest?(selectors: string): any;
  matches?: any;
}

interface Node {
  contains(other: EventTarget | null): boolean;
}
