import { Button } from '../design/button.js';
import { Icon } from '../design/icon.js';
import { isHelpOpen } from '../shortcuts/help.js';
import { logOut, me } from '../state/session.js';
import { setTheme, theme, themes } from '../state/theme.js';
import { type Language, language, languageNames, setLanguage, t } from '../texts/index.js';

/** Who is logged in; theme, language and the way out. */
export function UserMenu() {
  const user = me();
  if (user === null) return null;
  return (
    <>
      <button
        type="button"
        class="button quiet user"
        popovertarget="user-menu"
        aria-label={`${t('menu.user')}: ${user.name}`}
        aria-keyshortcuts="."
      >
        <Icon name="user" />
        <span>{user.name}</span>
      </button>
      <div id="user-menu" popover="auto" class="menu user-menu">
        <p class="stack">
          <strong>{user.name}</strong>
          <span class="soft small">
            {t(`role:${user.role}`)} · Handover {user.version}
          </span>
          <span class="soft small">{t('time.zone', { zone: user.timeZone })}</span>
        </p>
        <Choices
          label={t('menu.theme')}
          options={themes.map((one) => [one, t(`theme:${one}`)])}
          chosen={theme.value}
          choose={setTheme}
        />
        <Choices
          label={t('menu.language')}
          options={Object.entries(languageNames) as [Language, string][]}
          chosen={language.value}
          choose={setLanguage}
        />
        <div>
          <Button kind="quiet" onClick={openHelp}>
            {t('shortcuts.title')} <kbd>?</kbd>
          </Button>
          <a class="button quiet" href="/docs" target="_blank" rel="noopener">
            <Icon name="link" /> {t('menu.api')}
          </a>
          {user.temporalUi !== null && (
            <a class="button quiet" href={user.temporalUi} target="_blank" rel="noreferrer">
              <Icon name="link" /> {t('menu.temporal')}
            </a>
          )}
          <Button kind="quiet" icon="lock" onClick={() => void logOut()}>
            {t('menu.logout')}
          </Button>
        </div>
      </div>
    </>
  );
}

function openHelp(): void {
  document.getElementById('user-menu')?.hidePopover();
  isHelpOpen.value = true;
}

function Choices<Value extends string>(props: {
  label: string;
  options: readonly (readonly [Value, string])[];
  chosen: Value;
  choose(value: Value): void;
}) {
  const { label, options, chosen, choose } = props;
  return (
    <fieldset class="choices">
      <legend class="small soft">{label}</legend>
      {options.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={label} checked={value === chosen} onChange={() => choose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </fieldset>
  );
}
