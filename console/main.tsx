import './design/tokens.css';
import './design/base.css';
import './design/components.css';
import { effect } from '@preact/signals';
import { render } from 'preact';
import { App } from './app.js';
import { startStream } from './live/stream.js';
import { startQueue } from './offline/queue.js';
import { startShortcuts } from './shortcuts/shortcuts.js';
import { startRouter } from './state/router.js';
import { session, startSession } from './state/session.js';
import './state/theme.js';
import { language, loadTexts } from './texts/index.js';

effect(() => {
  document.documentElement.lang = language.value;
});
startRouter();
startShortcuts();
// the stream is for users alone
effect(() => {
  if (session.value.is === 'in') startStream();
});
// nothing is shown without them; the page that is loaded again also names the files of a newer release
await loadTexts().catch(() => {
  document.body.append('Handover: …');
  return new Promise(() => setTimeout(() => location.reload(), 5_000));
});
void startQueue();
void startSession();
// a link that logs in, opened where the page is open already
addEventListener('hashchange', () => {
  if (location.hash.startsWith('#login=')) void startSession();
});
render(<App />, document.getElementById('console') as HTMLElement);
