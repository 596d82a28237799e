/**
 * The text of a failed command for the person who started it. The project's own errors are written for persons; any
 * other error is a defect, and is shown with its stack.
 */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `handover: ${String(error)}`;
  const isOurs =
    /^(Config|WireProfile|Database|FolderInUse|PortInUse|EngineNotFound|TemporalUnreachable)Error$/;
  if (error.name === 'Error' || isOurs.test(error.name)) return `handover: ${error.message}`;
  if ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
    // what follows its first sentence is advice for the arguments of any program
    const [sentence] = error.message.split(/\.\s/);
    return `handover: ${sentence}; \`handover help\` lists the options`;
  }
  return `handover: ${error.stack ?? error.message}`;
}
