import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from './run.mjs';

const ownSources = join(root, 'console', sep);
const folder = join(ownSources, 'texts');
const languages = ['en', 'ko'];

/**
 * An esbuild plugin: in the bundle a language is its texts, each a line, without their keys. A key that the sources write out
 * (`nav.now`) is the place of its text in the list. A key of a code (`status:5`) keeps its name, once for both languages.
 * @param sources the folder whose files write out keys, with the separator at its end
 */
export async function packTexts(sources = ownSources) {
  const texts = Object.fromEntries(
    await Promise.all(languages.map(async (language) => [language, await readTexts(language)])),
  );
  const keys = Object.keys(texts.en);
  const named = keys.filter(isNamed);
  const placed = keys.filter((key) => !isNamed(key));
  const order = [...named, ...placed];
  const places = new Map(placed.map((key) => [key, order.indexOf(key)]));
  const lists = languages.map((language) => [language, linesOf(order.map((key) => texts[language][key]))]);
  const packed = {
    ...Object.fromEntries(
      lists.map(([language, lines]) => [
        language,
        { contents: JSON.stringify({ [language]: lines }), loader: 'json' },
      ]),
    ),
    unpack: {
      contents: `const names = ${JSON.stringify(byPrefix(named))}.split('|').flatMap((group) => {
  const [prefix, ...codes] = group.split(' ');
  return codes.map((code) => prefix + code);
});
export const unpack = (texts) => Object.fromEntries(texts.split('\\n').map((text, place) => [names[place] ?? place, text]));`,
    },
  };
  return {
    name: 'pack-texts',
    setup({ onLoad }) {
      onLoad({ filter: /\.tsx?$/ }, ({ path }) => {
        const name = Object.keys(packed).find((one) => path === join(folder, `${one}.ts`));
        if (name !== undefined) return packed[name];
        if (!path.startsWith(sources)) return undefined;
        return { contents: withPlaces(read(path), places), loader: path.endsWith('x') ? 'tsx' : 'ts' };
      });
    },
  };
}

function linesOf(texts) {
  const broken = texts.find((text) => text.includes('\n'));
  if (broken !== undefined) throw new Error(`a text of the console has more than one line: ${broken}`);
  return texts.join('\n');
}

/** `status: 5 10|part: database`: each prefix once. */
function byPrefix(names) {
  const groups = names.map((name, at) => {
    const prefix = prefixOf(name);
    const code = name.slice(prefix.length);
    return at > 0 && prefixOf(names[at - 1]) === prefix ? ` ${code}` : `|${prefix} ${code}`;
  });
  return groups.join('').slice(1);
}

/** A code of the API that is also a key would become a number. */
function withPlaces(text, places) {
  for (const [, key] of text.matchAll(/(?:[!=]==|\bcase|(?:includes|startsWith)\()\s*'([\w.-]+)'/g))
    if (places.has(key))
      throw new Error(`'${key}' is compared, and is also the key of a text: rename the key`);
  return text.replace(/'([\w.-]+)'/g, (literal, key) => String(places.get(key) ?? literal));
}

async function readTexts(language) {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    entryPoints: [join(folder, `${language}.ts`)],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = Buffer.from(outputFiles[0].contents).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`))[language];
}

/** A key without a prefix may be another word of the sources. */
const isNamed = (key) => key.includes(':') || !key.includes('.');
const prefixOf = (key) => key.slice(0, key.indexOf(':') + 1);
const read = (path) => readFileSync(path, 'utf8');
