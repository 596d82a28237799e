import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliVersion, type Engine, testServerVersion } from './engines.js';
import { run } from './run.js';
import type { OnProgress } from './sources.js';

/** How to build an engine where the download cannot be reached. */
export interface Builder {
  /** Commands that must be on PATH. */
  needs: string[];
  /** For operators: what to install. */
  way: string;
  /** Writes the binary to `folder`. */
  build(folder: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Promise<void>;
}

export const builders: Record<Engine, Builder> = {
  'dev-server': {
    needs: ['go'],
    way: `Go 1.21 or newer on PATH, to build temporal ${cliVersion} once (about 4 minutes)`,
    async build(folder, env, onProgress) {
      await run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`], {
        // auto: a Go that is too old for the CLI downloads the required toolchain
        env,
        settings: { GOBIN: folder, GOTOOLCHAIN: 'auto', GOFLAGS: '' },
        cwd: folder,
        progress: 'Temporal dev server: building it with Go (once, about 4 minutes)',
        onProgress,
      });
    },
  },
  'test-server': {
    needs: ['mvn', 'java'],
    way: `Java 11 or newer and Maven on PATH, to assemble test server ${testServerVersion} once (about 20 seconds)`,
    async build(folder, env, onProgress) {
      await writeFile(join(folder, 'pom.xml'), pom);
      await run('mvn', ['-B', '-q', 'dependency:copy-dependencies', '-DoutputDirectory=lib'], {
        env,
        cwd: folder,
        progress: 'Temporal time-skipping test server: assembling it with Maven (once)',
        onProgress,
      });
      await archiveClasses(folder, onProgress);
    },
  },
};

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>handover</groupId>
  <artifactId>temporal-test-server-launcher</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>io.temporal</groupId>
      <artifactId>temporal-test-server</artifactId>
      <version>${testServerVersion}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-nop</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

/**
 * Writes the launcher, and an archive of the classes that the JVM loads during its start, which then takes a fifth of
 * the time. A Java that cannot write or read the archive (older than 13, or another version) loads the classes one by one.
 */
async function archiveClasses(folder: string, onProgress: OnProgress): Promise<void> {
  const launcher = join(folder, 'temporal-test-server');
  try {
    await writeLauncher(launcher, '-XX:ArchiveClassesAtExit=classes.jsa');
    // with it comes Temporal's SDK, which a start that builds nothing has not loaded yet
    const { startTestServer } = await import('../test-server.js');
    const { stop } = await startTestServer(launcher);
    await stop();
  } catch {
    onProgress(
      'Temporal time-skipping test server: this Java archives no classes; the server starts more slowly',
    );
  }
  await writeLauncher(launcher, '-XX:SharedArchiveFile=classes.jsa -Xshare:auto');
}

/** `exec`, because the SDK stops only the process that it started. Paths are relative, because the folder is renamed later. */
async function writeLauncher(file: string, classes: string): Promise<void> {
  const java = `java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 ${classes} -cp "lib/*"`;
  await writeFile(
    file,
    `#!/bin/sh\ncd "$(dirname "$0")" && exec ${java} io.temporal.testserver.TestServer "$@"\n`,
  );
  await chmod(file, 0o755);
}
