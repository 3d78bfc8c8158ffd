import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { proxyFor, type ProxyEnvironment } from './proxy.ts';

type AgentSettings = {
  readonly environment: ProxyEnvironment;
  /** PEM. Without it, the authorities that Node trusts. */
  readonly ca?: string;
};

export type ProxyAgents = { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };

type SocketCallback = (error: Error | null, socket: Duplex) => void;
type SocketOptions = { readonly host?: string | undefined; readonly port?: number | string | undefined };

const pool = { keepAlive: true, maxSockets: 50 } as const;

/** Agents for any number of hosts: each connection goes through the proxy that the environment has for its host. */
export const proxyAgents = ({ environment, ca }: AgentSettings): ProxyAgents => ({
  httpAgent: new RoutedHttpAgent(environment),
  httpsAgent: new RoutedHttpsAgent(environment, ca),
});

class RoutedHttpAgent extends HttpAgent {
  readonly #environment: ProxyEnvironment;

  constructor(environment: ProxyEnvironment) {
    super(pool);
    this.#environment = environment;
  }

  override createConnection(options: object, callback?: SocketCallback): Duplex | null | undefined {
    const proxy = proxyFor({ protocol: 'http:', ...targetOf(options, 80) }, this.#environment);
    if (proxy === undefined) return super.createConnection(options, callback);
    return new HttpProxyAgent({ ...pool, proxy }).createConnection(options, callback);
  }
}

class RoutedHttpsAgent extends HttpsAgent {
  readonly #environment: ProxyEnvironment;
  readonly #ca: { readonly ca?: string };

  constructor(environment: ProxyEnvironment, ca: string | undefined) {
    const trusted = ca === undefined ? {} : { ca };
    super({ ...pool, ...trusted });
    this.#environment = environment;
    this.#ca = trusted;
  }

  override createConnection(options: object, callback?: SocketCallback): Duplex | null | undefined {
    const proxy = proxyFor({ protocol: 'https:', ...targetOf(options, 443) }, this.#environment);
    if (proxy === undefined) return super.createConnection(options, callback);
    return new HttpsProxyAgent({ ...pool, ...this.#ca, proxy }).createConnection(options, callback);
  }
}

const targetOf = ({ host, port }: SocketOptions, usual: number): { readonly host: string; readonly port: number } => ({
  host: host ?? 'localhost',
  port: Number(port ?? usual),
});
