import pg from 'pg';

export interface Statement {
  text: string;
  /** Each as text; its type is that of its place in the statement. */
  values: (string | null)[];
}

/**
 * Sends statements in one write and as one transaction, which the server commits without another message: in the extended
 * query protocol everything before a Sync is one transaction. The messages that execute them are the last hundred bytes, so
 * a client that is cut off while it sends values holds no lock. A statement sees what is committed when it executes, not
 * when its values arrived.
 * @returns the rows of the last statement
 * @throws what the server or the connection threw
 */
export function sendTogether<Row>(client: pg.Client, statements: readonly Statement[]): Promise<Row[]> {
  return new Promise((resolve, reject) => {
    const query = new pg.Query('', (error, results) => {
      if (error) reject(error);
      else resolve(([results].flat().at(-1)?.rows ?? []) as Row[]);
    });
    query.submit = (connection) => submit(connection, statements);
    client.query(query);
  });
}

interface Portal extends Statement {
  portal: string;
}

/** The first statement, which may set time limits, is executed before the others are parsed: parsing waits for a table's lock. */
function submit(connection: pg.Connection, statements: readonly Statement[]): void {
  const portals = statements.map((statement, index) => ({ ...statement, portal: `portal-${index}` }));
  connection.stream.cork();
  try {
    const [first, ...others] = portals;
    if (first !== undefined) {
      prepare(connection, first);
      execute(connection, first);
    }
    for (const portal of others) prepare(connection, portal);
    for (const portal of others) execute(connection, portal);
    connection.sync();
  } finally {
    connection.stream.uncork();
  }
}

function prepare(connection: pg.Connection, { text, values, portal }: Portal): void {
  connection.parse({ name: '', text, types: [] }, true);
  connection.bind({ portal, values }, true);
}

function execute(connection: pg.Connection, { portal }: Portal): void {
  connection.describe({ type: 'P', name: portal }, true);
  connection.execute({ portal }, true);
}
