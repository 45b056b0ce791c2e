// What the browser's own types do not know: what a selector finds has the properties that its name promises.

interface ParentNode {
  querySelector(selectors: string): any;
  querySelectorAll(selectors: string): NodeListOf<any>;
}

interface Window {
  Plotly: any;
  __streamlit: any;
}
