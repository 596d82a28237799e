import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliVersion, type Engine, testServerVersion } from './engines.js';
import { run } from './run.js';
import type { OnProgress } from './sources.js';

/** How an engine is built where the download cannot be reached. */
export interface Builder {
  /** Commands that must be on PATH. */
  needs: string[];
  /** For the person: what to install. */
  way: string;
  /** Leaves the binary in `folder`. */
  build(folder: string, env: NodeJS.ProcessEnv, onProgress: OnProgress): Promise<void>;
}

export const builders: Record<Engine, Builder> = {
  'dev-server': {
    needs: ['go'],
    way: `Go 1.21 or newer on PATH, to build temporal ${cliVersion} once (about 4 minutes)`,
    async build(folder, env, onProgress) {
      await run('go', ['install', `github.com/temporalio/cli/cmd/temporal@v${cliVersion}`], {
        // auto: a Go older than the CLI asks for fetches the right toolchain by itself
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
      const launcher = join(folder, 'temporal-test-server');
      await writeFile(launcher, launchScript);
      await chmod(launcher, 0o755);
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

/** `exec`: the SDK stops only the process that it started. */
const launchScript = `#!/bin/sh
exec java -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp "$(dirname "$0")/lib/*" io.temporal.testserver.TestServer "$@"
`;
