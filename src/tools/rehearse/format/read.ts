import { isMap, isNode, isScalar, LineCounter, type ParsedNode, parseDocument } from 'yaml';
import { type ScenarioFile, scenario } from './scenario.js';

/** A scenario as its file has it; every step knows its line. */
export interface Scenario extends Omit<ScenarioFile, 'steps'> {
  file: string;
  steps: (ScenarioFile['steps'][number] & { line: number })[];
}

export interface FileProblem {
  line: number;
  column: number;
  message: string;
}

/** What is wrong with a scenario file, all at once: `file:line:column  what would be right`. */
export class ScenarioFileError extends Error {
  override readonly name = 'ScenarioFileError';
  constructor(
    readonly file: string,
    readonly problems: readonly FileProblem[],
  ) {
    const lines = problems.map(({ line, column, message }) => `  ${file}:${line}:${column}  ${message}`);
    super(`the scenario has ${problems.length} problem(s):\n${lines.join('\n')}`);
  }
}

/**
 * Reads a scenario (docs/scenarios.md).
 * @throws ScenarioFileError
 */
export function readScenario(text: string, file: string): Scenario {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  const place = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  if (document.errors.length > 0) {
    const problems = document.errors.map(({ pos, message }) => ({
      ...place(pos[0]),
      message: message.split('\n')[0] ?? message,
    }));
    throw new ScenarioFileError(file, problems);
  }
  const where = (path: readonly PropertyKey[]) => place(locate(document.contents, path).offset);
  const read = scenario.safeParse(document.toJS());
  if (!read.success) {
    const problems = read.error.issues.map(({ path, message }) => {
      const { offset, missing } = locate(document.contents, path);
      return {
        ...place(offset),
        message: missing === undefined ? message : `${missing} is missing: ${message}`,
      };
    });
    throw new ScenarioFileError(
      file,
      problems.sort((a, b) => a.line - b.line || a.column - b.column),
    );
  }
  const steps = read.data.steps.map((step, index) => ({ ...step, line: where(['steps', index]).line }));
  return { ...read.data, file, steps };
}

/** Where the value at `path` stands; of one that is missing, the mapping that lacks it, and its name. */
function locate(root: ParsedNode | null, path: readonly PropertyKey[]): { offset: number; missing?: string } {
  let node: unknown = root;
  let offset = root?.range[0] ?? 0;
  for (const part of path) {
    if (isMap(node)) {
      const pair = node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part));
      if (pair === undefined) return { offset, missing: String(part) };
      offset = isNode(pair.key) ? (pair.key.range?.[0] ?? offset) : offset;
      node = pair.value;
    } else {
      node = (node as { get?(key: unknown, keep: true): unknown } | null)?.get?.(part, true);
      if (isNode(node)) offset = node.range?.[0] ?? offset;
    }
  }
  return { offset };
}
