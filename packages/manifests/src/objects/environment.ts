import { byTextOf, millisOf } from '@nodewright/apis';
import type { InstallValues } from '../values/install-values.ts';
import type { SettingCatalogue } from '../values/setting-values.ts';

export type ControllerVariable = { readonly name: string; readonly value: string };

/** Where the file of additional authorities is in the container. */
export const authorityFolder = '/etc/nodewright/authorities';

/** The environment of the controller: its settings, and how it reaches AWS. */
export function listEnvironment(values: InstallValues, catalogue: SettingCatalogue): readonly ControllerVariable[] {
  const { region, settings, certificateAuthorities, environment } = values;
  const variables = new Map([
    ...[...settings].map(([name, text]) => [catalogue.variableOf(name), text] as const),
    ...listWorkerVariables(values, catalogue),
    ...(region === '' ? [] : [['AWS_REGION', region] as const]),
    ...listProxyVariables(values),
    ...(certificateAuthorities.configMap === ''
      ? []
      : [['NODE_EXTRA_CA_CERTS', `${authorityFolder}/${certificateAuthorities.key}`] as const]),
    // One helper thread for compiling and collecting garbage: more would take turns with the one that works.
    ['NODE_OPTIONS', '--v8-pool-size=1'] as const,
    ...[...environment].toSorted(byTextOf(([name]) => name)),
  ]);
  return [...variables].map(([name, value]) => ({ name, value }));
}

/** How many workers the controllers get follows from the processors that the pod asks for. */
function listWorkerVariables(
  { resources, settings }: InstallValues,
  { defaultOf, variableOf }: SettingCatalogue,
): readonly (readonly [string, string])[] {
  const millis = String(millisOf(resources.cpu));
  const isSaid = settings.has('cpuRequests') || millis === defaultOf('cpuRequests');
  return isSaid ? [] : [[variableOf('cpuRequests'), millis]];
}

/** The API server of the cluster, and who hands out credentials on a node: EKS Pod Identity and EC2. No proxy reaches them. */
export const addressesBesideProxies = [
  '$(KUBERNETES_SERVICE_HOST)',
  '169.254.170.23',
  'fd00:ec2::23',
  '169.254.169.254',
  'fd00:ec2::254',
] as const;

function listProxyVariables({ proxy }: InstallValues): readonly (readonly [string, string])[] {
  const { https, http, except } = proxy;
  if (https === '' && http === '') return [];
  const proxies = [['HTTPS_PROXY', https] as const, ['HTTP_PROXY', http] as const].filter(([, url]) => url !== '');
  return [...proxies, ['NO_PROXY', [...addressesBesideProxies, ...except.split(',')].filter(Boolean).join(',')]];
}
