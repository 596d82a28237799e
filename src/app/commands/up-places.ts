import { planEnginePorts } from '../../temporal/server/dev-server.js';
import { claimPort } from '../../temporal/server/ports.js';
import { originOf } from '../config/address.js';
import { engineFolder } from '../parts/engine.js';
import type { FirstSetting } from '../startup/first-setting.js';

/** Where the parts of `up` will listen: known before any of them starts. */
export interface Places {
  /** With the ports of the status API and of the receiver in its config. */
  setting: FirstSetting;
  /** Absent: Temporal is a service elsewhere. */
  enginePorts: { port: number; uiPort: number } | undefined;
  /** Address at which Temporal UI has payloads decrypted. */
  codecEndpoint: string | undefined;
  /** Address at which callbacks are accepted. */
  receiver: string;
  platformUrl: string;
  /** Absent: the platform is elsewhere. */
  sandboxPort: number | undefined;
}

/** @throws `PortInUseError` */
export async function planPlaces(given: FirstSetting): Promise<Places> {
  const { config } = given;
  const { host } = config.http;
  const enginePorts = config.temporal.external
    ? undefined
    : await planEnginePorts({ ...config.temporal, folder: engineFolder(config) });
  const apiPort = await claimPort(config.http.port, 'status API', 'HANDOVER_PORT', host);
  const sandboxPort =
    config.platform.baseUrl === undefined
      ? await claimPort(config.sandbox.port, 'sandbox', 'SANDBOX_PORT', host)
      : undefined;
  const { port: wanted } = config.callbacks;
  const callbackPort =
    wanted === undefined ? undefined : await claimPort(wanted, 'callback receiver', 'CALLBACK_PORT', host);
  const api = originOf(host, apiPort);
  const { endpointToken } = config.codec;
  return {
    setting: {
      ...given,
      config: {
        ...config,
        consoleUrl: config.consoleUrl ?? api,
        http: { ...config.http, port: apiPort },
        callbacks: { ...config.callbacks, ...(callbackPort !== undefined && { port: callbackPort }) },
      },
    },
    enginePorts,
    codecEndpoint: endpointToken === undefined ? undefined : `${api}/codec/${endpointToken}`,
    receiver: originOf(host, callbackPort ?? apiPort),
    platformUrl: config.platform.baseUrl ?? originOf(host, sandboxPort ?? 0),
    sandboxPort,
  };
}
