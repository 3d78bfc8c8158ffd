import { readFileSync } from 'node:fs';
import { readOwn } from '@nodewright/apis';
import { proxyAgents, proxyFor, type ProxyAgents } from '@nodewright/runtime';
import { InputError } from '../terminal/exit-status.ts';

type NetworkEnvironment = Readonly<Record<string, string | undefined>>;

const proxyVariables = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'];

/**
 * How AWS is reached: through `HTTPS_PROXY` and `HTTP_PROXY` but for `NO_PROXY`, trusting `AWS_CA_BUNDLE` in place of the
 * authorities of Node. `NODE_EXTRA_CA_CERTS` counts in any case.
 * @returns `undefined` where nothing is set
 */
export function awsAgents(environment: NetworkEnvironment): ProxyAgents | undefined {
  checkProxies(environment);
  const ca = readBundle(environment);
  const hasProxy = proxyVariables.some((name) => (readOwn(environment, name) ?? '') !== '');
  return hasProxy || ca !== undefined ? proxyAgents({ environment, ...(ca === undefined ? {} : { ca }) }) : undefined;
}

/** How receivers and checks of people are reached: as AWS, but for the authorities, which are those of Node. */
export const webAgents = (environment: NetworkEnvironment): ProxyAgents => proxyAgents({ environment });

/** A proxy that is none is refused at the start, not at the first call. */
function checkProxies(environment: NetworkEnvironment): void {
  const { NO_PROXY: _upper, no_proxy: _lower, ...proxies } = environment;
  try {
    for (const protocol of ['https:', 'http:'] as const)
      proxyFor({ protocol, host: 'aws.invalid', port: 443 }, proxies);
  } catch (failure) {
    throw new InputError(`HTTPS_PROXY, HTTP_PROXY: ${(failure as Error).message}`, { cause: failure });
  }
}

function readBundle(environment: NetworkEnvironment): string | undefined {
  const own = readPem('AWS_CA_BUNDLE', environment);
  // Authorities that are named replace those of Node, its extra ones included.
  return own === undefined ? undefined : [own, readPem('NODE_EXTRA_CA_CERTS', environment) ?? ''].join('\n');
}

function readPem(name: string, environment: NetworkEnvironment): string | undefined {
  const file = readOwn(environment, name);
  if (file === undefined || file === '') return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (failure) {
    throw new InputError(`${name}: ${(failure as Error).message}`, { cause: failure });
  }
  if (text.includes('-----BEGIN CERTIFICATE-----')) return text;
  throw new InputError(`${name}: ${file} holds no certificate in PEM`);
}
