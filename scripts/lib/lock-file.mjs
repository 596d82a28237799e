/**
 * Optional packages for other platforms that are missing in the lock file. Where a registry has only some platforms,
 * `npm install` removes the others from the lock file, and then `npm ci` refuses it on every machine.
 * @returns entries to add, by path
 */
export function missingPlatforms(packages) {
  const missing = {};
  for (const [path, { optionalDependencies = {}, dev, devOptional }] of Object.entries(packages)) {
    for (const [name, version] of Object.entries(optionalDependencies)) {
      if (isLocked(packages, path, name) || !/^\d+\.\d+\.\d+/.test(version)) continue;
      missing[`node_modules/${name}`] = { version, ...platformOf(name), ...flags({ dev, devOptional }) };
    }
  }
  return missing;
}

/** npm searches the package's own node_modules, then each one above it. */
function isLocked(packages, path, name) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${folder === '' ? '' : `${folder}/`}node_modules/${name}`] !== undefined) return true;
    if (folder === '') return false;
  }
}

function flags({ dev, devOptional }) {
  return { ...(dev && { dev }), ...(devOptional && { devOptional }), optional: true };
}

/** Fields `os`, `cpu` and `libc` of such a package, read from its name: `cli-linux-x64-musl`. */
function platformOf(name) {
  const os = /(android|darwin|freebsd|linux|openharmony|win32)/.exec(name)?.[1];
  const cpu =
    /(?:android|darwin|freebsd|linux|openharmony|win32)-(arm64|arm|x64|ia32|ppc64|riscv64|s390x)/.exec(
      name,
    )?.[1];
  if (os === undefined || cpu === undefined) return {};
  const libc =
    os !== 'linux' ? undefined : name.includes('musl') ? 'musl' : name.includes('gnu') ? 'glibc' : undefined;
  return { cpu: [cpu], ...(libc && { libc: [libc] }), os: [os] };
}
