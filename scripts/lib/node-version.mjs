// Imported first, so that an old Node prints this message, not a syntax error.
const needed = [20, 19];
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major < needed[0] || (major === needed[0] && minor < needed[1])) {
  console.error(`Handover needs Node ${needed.join('.')} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
