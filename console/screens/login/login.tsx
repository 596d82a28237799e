import './login.css';
import { useEffect, useState } from 'preact/hooks';
import { ApiError, send } from '../../api/client.js';
import { endpoints } from '../../api/endpoints.js';
import { Button } from '../../design/button.js';
import { Dialog } from '../../design/dialog.js';
import { Field } from '../../design/field.js';
import { Icon } from '../../design/icon.js';
import { Notice } from '../../design/notice.js';
import { connectAgain } from '../../live/stream.js';
import { logIn } from '../../state/session.js';
import { t } from '../../texts/index.js';

/** The token is sent once; it is stored nowhere. */
function useLogin() {
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const run = async (form: HTMLFormElement) => {
    setBusy(true);
    try {
      await logIn(String(new FormData(form).get('token')).trim());
      connectAgain();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const detail = error.problem?.detail ?? t('error.unreachable');
      setRefusal(error.status === 401 ? t('login.refused') : detail);
    }
    setBusy(false);
  };
  return { isBusy, refusal, run };
}

function TokenField() {
  return (
    <Field label={t('login.token')} hint={t('login.hint')}>
      <input name="token" type="password" required autocomplete="current-password" autofocus />
    </Field>
  );
}

function Refusal({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <Notice tone="bad" icon="cancelled" isUrgent>
      {text}
    </Notice>
  );
}

/** Where an identity provider is set, persons log in there. */
function ProviderLink() {
  const [isOffered, setOffered] = useState(false);
  useEffect(() => {
    void send(endpoints.loginMethods)
      .then(({ body }) => setOffered(body.methods.includes('oidc')))
      // the token remains
      .catch(() => {});
  }, []);
  if (!isOffered) return null;
  return (
    <a class="button primary large" href="/api/session/oidc">
      {t('login.provider')}
    </a>
  );
}

/** The first page of who is not logged in. */
export function Login() {
  const { isBusy, refusal, run } = useLogin();
  return (
    <main class="login">
      <form
        class="panel"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) void run(event.currentTarget);
        }}
      >
        <span class="emblem">
          <Icon name="car" />
        </span>
        <h1>{t('login.title')}</h1>
        <ProviderLink />
        <TokenField />
        <Refusal text={refusal} />
        <Button type="submit" kind="primary" size="large" isBusy={isBusy}>
          {t('login.submit')}
        </Button>
      </form>
    </main>
  );
}

/** The login ended while a screen was open: what is on it stays. */
export function ExpiredLogin() {
  const { isBusy, refusal, run } = useLogin();
  return (
    <Dialog title={t('login.title')} submit={{ label: t('login.submit'), isBusy, run }}>
      <p>{t('login.expired')}</p>
      <TokenField />
      <Refusal text={refusal} />
    </Dialog>
  );
}
