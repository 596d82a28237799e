import { LoadError } from './design/load.js';
import { Login } from './screens/login/login.js';
import { Shell } from './shell/shell.js';
import { session, startSession } from './state/session.js';

/** The page by its login. */
export function App() {
  const state = session.value;
  switch (state.is) {
    case 'loading':
      return null;
    case 'failed':
      return <LoadError error={state.error} retry={() => void startSession()} />;
    case 'out':
      return <Login />;
    case 'in':
      return <Shell />;
  }
}
