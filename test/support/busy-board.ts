import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Board, BoardRow, LaneName } from '../../console/api/types.js';

const minute = 60_000;
const rowsEach = 40;
/** The lanes in the order in which a reservation passes them. */
const way: readonly LaneName[] = ['dueOut', 'out', 'dueBack', 'toRecall'];

/**
 * A board that changes all the time, with its stream of changes, in place of the API's: each step a reservation is added, one moves
 * on from each lane, one leaves the last, and one needs attention.
 */
export class BusyBoard {
  reads = 0;
  private nextId = 50_000_000;
  private readonly lanes: Record<LaneName, BoardRow[]> = {
    attention: [],
    dueOut: [],
    out: [],
    dueBack: [],
    toRecall: [],
  };
  private readonly streams = new Set<ServerResponse>();
  private readonly server = createServer((request, response) => {
    response.setHeader('date', new Date(this.now()).toUTCString());
    if (request.url === '/api/changes') {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
      this.streams.add(response);
      response.once('close', () => this.streams.delete(response));
    } else {
      this.reads += 1;
      response
        .writeHead(200, { 'content-type': 'application/json', 'handover-api': '1' })
        .end(JSON.stringify(this.board()));
    }
  });

  /** @param stays rows of real reservations, which stay in the first lane */
  constructor(
    private readonly template: Board,
    private readonly stays: readonly BoardRow[],
    private readonly now: () => number,
  ) {
    for (const lane of way) for (let index = 0; index < rowsEach; index++) this.lanes[lane].push(this.row());
  }

  /** The page's board and stream come from here. */
  async serve(page: Page): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    const { port } = this.server.address() as AddressInfo;
    for (const path of ['/api/board', '/api/changes'])
      await page.route(`**${path}`, (route) => route.continue({ url: `http://127.0.0.1:${port}${path}` }));
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get isStreaming(): boolean {
    return this.streams.size > 0;
  }

  step(): void {
    let moving = this.row();
    for (const lane of way) {
      this.lanes[lane].push(moving);
      moving = this.lanes[lane].shift() as BoardRow;
      this.publish(moving.reservationId);
    }
    const raised = this.lanes.out.shift() as BoardRow;
    const since = new Date(this.now()).toISOString();
    this.lanes.attention.push({ ...raised, attention: [{ kind: 'return-late', since, owner: null }] });
    if (this.lanes.attention.length > rowsEach) this.lanes.dueBack.push(this.resolved());
    this.lanes.out.push(this.row());
  }

  private resolved(): BoardRow {
    return { ...(this.lanes.attention.shift() as BoardRow), attention: [] };
  }

  private publish(id: number): void {
    const data = JSON.stringify({ id, codes: ['L10'] });
    for (const stream of this.streams) stream.write(`id: soak-${id}\nevent: reservation\ndata: ${data}\n\n`);
  }

  private row(): BoardRow {
    const id = this.nextId++;
    const at = new Date(this.now() + (id % 300) * minute).toISOString();
    const carNumber = `${10 + (id % 90)}가${1000 + (id % 9000)}`;
    return { ...(this.stays[0] as BoardRow), reservationId: id, carNumber, relevantAt: at, sequence: id };
  }

  private board(): Board {
    const lanes = Object.entries(this.lanes).map(([lane, rows]) => {
      const all = lane === 'dueOut' ? [...this.stays, ...rows] : rows;
      return [lane, { count: all.length, items: all.slice(0, rowsEach) }];
    });
    return { ...this.template, asOf: new Date(this.now()).toISOString(), lanes: Object.fromEntries(lanes) };
  }
}
