// the build puts these into every file: `h` writes an element shorter than the runtime's function of TypeScript
export { createElement as h, Fragment } from 'preact';
