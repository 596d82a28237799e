import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { DockerfileParser } from 'dockerfile-ast';
import { parse } from 'yaml';

interface Service {
  image: string;
  command?: string[];
  entrypoint?: string[];
  environment?: Record<string, string | number>;
  volumes?: string[];
  healthcheck?: { test?: string[] };
}

/** What one container of docker-compose.yml is started with. */
export interface ComposedService {
  /** Version of its image. */
  version: string;
  command: string[];
  entrypoint: string[];
  environment: Record<string, string>;
  /** Folders of the repository by their paths in the container. */
  mounts: Record<string, string>;
  healthcheck: string[];
}

const root = new URL('../../../', import.meta.url);
export const fromRoot = (path: string) => fileURLToPath(new URL(path, root));
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');

/**
 * The services of docker-compose.yml by their names.
 * @param settings values of its variables (`${NAME:-default}`); absent: their defaults
 */
export function composedServices(settings: Record<string, string> = {}): Record<string, ComposedService> {
  const { services } = parse(read('docker-compose.yml'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const fill = (value: unknown) =>
    String(value).replaceAll(
      /\$\{(\w+):-([^}]*)\}/g,
      (_, name: string, usual: string) => settings[name] ?? usual,
    );
  return Object.fromEntries(
    Object.entries(services).map(([name, service]) => [name, composed(service, fill)]),
  );
}

function composed(service: Service, fill: (value: unknown) => string): ComposedService {
  const { image, command = [], entrypoint = [], environment = {}, volumes = [], healthcheck } = service;
  const given = Object.entries(environment).map(([name, value]) => [name, fill(value)]);
  const mounts = volumes
    .map((volume) => volume.split(':'))
    .filter(([source]) => source?.startsWith('./'))
    .map(([source = '', target = '']) => [target, fromRoot(source)]);
  return {
    version: image.split(':').at(-1) ?? '',
    command,
    entrypoint,
    environment: Object.fromEntries(given),
    mounts: Object.fromEntries(mounts),
    healthcheck: healthcheck?.test ?? [],
  };
}

/** Variables of Handover's image. */
export function imageEnvironment(): Record<string, string> {
  const variables = DockerfileParser.parse(read('Dockerfile'))
    .getENVs()
    .flatMap((env) => env.getProperties())
    .map((property) => [property.getName(), property.getValue() ?? '']);
  return Object.fromEntries(variables);
}
