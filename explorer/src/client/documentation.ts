/** Where the server serves the documentation, relative to the page. */
export const DOCUMENTATION = './explorer/docs/';
