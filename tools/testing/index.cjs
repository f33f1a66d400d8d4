// `rowhouse/testing` for CommonJS. Jest has a module loader of its own, which neither requires nor imports ES modules: so
// Node's loader imports the library, and keeps the project open for all files of a process.
const { pathToFileURL } = require('node:url');
const path = require('node:path');
const vm = require('node:vm');

const load = vm.runInThisContext('(url) => import(url)', {
  importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
});
const loadLibrary = () => load(pathToFileURL(path.join(__dirname, 'index.js')).href);

exports.openProject = async (dir) => (await loadLibrary()).openProject(dir);
exports.expectAccess = async (session, matrix) => (await loadLibrary()).expectAccess(session, matrix);
