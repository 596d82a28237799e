/** For any program: search path, home and temporary folder, language and time zone. */
const basic =
  /^(PATH|HOME|USER|LOGNAME|TMPDIR|TMP|TEMP|LANG|LANGUAGE|LC_[A-Z]+|TZ|SYSTEMROOT|USERPROFILE|APPDATA|LOCALAPPDATA|PATHEXT|COMSPEC)$/i;
/** For a program that downloads: proxies and certificates. */
const network =
  /^(HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|XDG_(CACHE|CONFIG)_HOME)$/i;
/** How this machine builds with Go and Maven: registries, caches, toolchains. */
const build =
  /^(GO(PROXY|FLAGS|MODCACHE|CACHE|PATH|ROOT|PRIVATE|NOPROXY|NOSUMDB|SUMDB|INSECURE|TOOLCHAIN|TMPDIR|AUTH|ENV)|CGO_ENABLED|JAVA_HOME|MAVEN_(OPTS|ARGS|HOME)|M2_HOME|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)$/;
/** Limits of the Go and Java runtimes. */
const runtime = /^(GOMAXPROCS|GOMEMLIMIT|GOGC|JAVA_HOME|JAVA_TOOL_OPTIONS|JDK_JAVA_OPTIONS)$/;

const allowed = {
  run: [basic, runtime],
  build: [basic, network, build],
};

/**
 * The environment of a program that Handover starts: only what it needs, because the environment of Handover holds every
 * secret.
 * @param purpose `run`: an engine or a tool of the system; `build`: a program that downloads or builds an engine
 */
export function childEnvironment(
  purpose: keyof typeof allowed,
  env: NodeJS.ProcessEnv = process.env,
): NodeJS.ProcessEnv {
  const needed = Object.entries(env).filter(([name]) => allowed[purpose].some((names) => names.test(name)));
  return Object.fromEntries(needed);
}
