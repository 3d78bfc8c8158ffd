import { seconds } from '@nodewright/apis';
import { readFileSync } from 'node:fs';
import type { RequestOptions } from 'node:https';
import type { KubeConfig } from '@kubernetes/client-node';
import type { HttpHeaders, Transport } from '../http.ts';
import { proxyFor, type ProxyEnvironment } from './proxy.ts';
import { type Connection, keptAliveAgent, type TlsOptions, transportOver } from './socket-transport.ts';

export type KubeConfigOptions = {
  /** [`KUBECONFIG`, then `~/.kube/config`, then the service account of the pod] */
  readonly file?: string;
  /** [the current one] */
  readonly context?: string;
  /** `HTTPS_PROXY` and its like. A `proxy-url` of the kubeconfig goes first [that of the process]. */
  readonly environment?: ProxyEnvironment;
};

/** What a kubeconfig tells of a cluster. */
export type KubeConfigCluster = {
  readonly transport: Transport;
  /** `https://10.0.0.1:6443`. */
  readonly server: string;
  /** Base64 of the PEM that signed the API server's certificate, if the kubeconfig has it. */
  readonly certificateAuthority?: string;
  /** Of the context. */
  readonly namespace?: string;
};

/** A transport to the cluster of a kubeconfig, with its credentials: certificates, tokens, token files, exec plugins. */
export const kubeConfigTransport = async (options: KubeConfigOptions = {}): Promise<Transport> =>
  (await kubeConfigCluster(options)).transport;

/** The same transport, and what else the kubeconfig tells. */
export async function kubeConfigCluster(options: KubeConfigOptions = {}): Promise<KubeConfigCluster> {
  const config = await loadKubeConfig(options);
  const cluster = config.getCurrentCluster();
  if (cluster?.server === undefined) {
    throw new Error(`the context "${config.currentContext}" names no cluster with a server; ${knownContexts(config)}`);
  }
  const { server, caData, caFile } = cluster;
  const credentials = new Credentials(config, {
    server: new URL(server),
    environment: options.environment ?? process.env,
    readAgain: () => loadKubeConfig({ ...options, context: config.currentContext }),
  });
  const certificateAuthority = caData ?? (caFile === undefined ? undefined : readFileSync(caFile).toString('base64'));
  const namespace = config.getContextObject(config.currentContext)?.namespace;
  return {
    transport: transportOver(server, () => credentials.connection()),
    server,
    ...(certificateAuthority === undefined ? {} : { certificateAuthority }),
    ...(namespace === undefined ? {} : { namespace }),
  };
}

async function loadKubeConfig({ file, context }: KubeConfigOptions): Promise<KubeConfig> {
  // Lazily: it is large, and only a real cluster needs it.
  const { KubeConfig } = await import('@kubernetes/client-node');
  const config = new KubeConfig();
  if (file === undefined) loadFound(config);
  else config.loadFromFile(file);
  if (context === undefined) return config;
  if (config.getContextObject(context) === null) {
    throw new Error(`there is no context "${context}"; ${knownContexts(config)}`);
  }
  config.setCurrentContext(context);
  return config;
}

/** Where nothing is found, the library makes up a server on localhost. */
function loadFound(config: KubeConfig): void {
  config.loadFromDefault();
  if (config.currentContext !== 'loaded-context' || config.getCurrentCluster()?.server !== 'http://localhost:8080')
    return;
  throw new Error('there is no kubeconfig: set KUBECONFIG, name a file, or run in a pod with a service account');
}

const knownContexts = (config: KubeConfig): string =>
  `the kubeconfig has ${
    config
      .getContexts()
      .map(({ name }) => name)
      .toSorted()
      .join(', ') || 'no contexts'
  }`;

/** How long credentials are used before they are asked for again; plugins keep their own longer cache. */
const credentialsFreshForMs = seconds(30);

type CredentialSources = {
  readonly server: URL;
  readonly environment: ProxyEnvironment;
  /** The kubeconfig as it is now, in the context that was chosen at first. */
  readonly readAgain: () => Promise<KubeConfig>;
};

/** The credentials of a kubeconfig. Whenever they are asked for again, the file is read again: it may hold a new token or certificate. */
class Credentials {
  #config: KubeConfig;
  readonly #server: URL;
  readonly #environment: ProxyEnvironment;
  readonly #readAgain: () => Promise<KubeConfig>;
  #connection: Connection | undefined;
  #tls = '';
  #askAgainAt = 0;

  constructor(config: KubeConfig, { server, environment, readAgain }: CredentialSources) {
    this.#environment = environment;
    this.#config = config;
    this.#server = server;
    this.#readAgain = readAgain;
  }

  async connection(): Promise<Connection> {
    if (this.#connection !== undefined && performance.now() < this.#askAgainAt) return this.#connection;
    if (this.#connection !== undefined) await this.#takeNewUsers();
    const options: RequestOptions = { headers: {} };
    await this.#config.applyToHTTPSOptions(options);
    const agent = this.#agentFor(options);
    this.#connection = { agent, headers: requestHeadersOf(options) };
    this.#askAgainAt = performance.now() + credentialsFreshForMs;
    return this.#connection;
  }

  /** Takes over a user that has changed in the file. A file that names another server now is not used: its token is not for ours. */
  async #takeNewUsers(): Promise<void> {
    const before = this.#config;
    const now = await this.#readAgain().catch(() => before);
    if (now.getCurrentCluster()?.server !== before.getCurrentCluster()?.server) return;
    if (JSON.stringify(now.getCurrentUser()) !== JSON.stringify(before.getCurrentUser())) this.#config = now;
  }

  /** Sockets are kept as long as the certificates stay the same. */
  #agentFor(options: RequestOptions): Connection['agent'] {
    const tls = tlsOf(options);
    const identity = JSON.stringify(tls);
    if (this.#connection !== undefined && identity === this.#tls) return this.#connection.agent;
    this.#tls = identity;
    const throughProxy = this.#config.getCurrentCluster()?.proxyUrl !== undefined;
    return throughProxy
      ? (options.agent as Connection['agent'])
      : keptAliveAgent(this.#server, tls, serverProxy(this.#server, this.#environment));
  }
}

function serverProxy({ protocol, hostname, port }: URL, environment: ProxyEnvironment): URL | undefined {
  const scheme = protocol === 'http:' ? 'http:' : 'https:';
  const host = hostname.replace(/^\[|\]$/g, '');
  return proxyFor({ protocol: scheme, host, port: Number(port || (scheme === 'http:' ? 80 : 443)) }, environment);
}

function requestHeadersOf({ headers = {}, auth }: RequestOptions): HttpHeaders {
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)] as const);
  const basic = auth == null ? {} : { authorization: `Basic ${Buffer.from(auth).toString('base64')}` };
  return { ...Object.fromEntries(given), ...basic };
}

const tlsOf = ({ ca, cert, key, servername, rejectUnauthorized }: RequestOptions): TlsOptions => ({
  ...(ca !== undefined && { ca: ca as Buffer }),
  ...(cert !== undefined && { cert: cert as Buffer }),
  ...(key !== undefined && { key: key as Buffer }),
  ...(servername !== undefined && { servername }),
  ...(rejectUnauthorized !== undefined && { rejectUnauthorized }),
});
