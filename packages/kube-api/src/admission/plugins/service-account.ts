import type { Random } from '@nodewright/runtime';
import type { JsonObject } from '../../schema/json.ts';
import { isObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { forbiddenError } from '../../http/status-error.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import { changeMember } from '../../builtin/fill.ts';
import { jsonObjectsIn } from '../../builtin/validation/checks.ts';
import type { AdmissionView, WriteAttributes } from '../attributes.ts';

export const mirrorPodAnnotation = 'kubernetes.io/config.mirror';

/** Gives a new pod its service account, the token of the account, and the pull secrets of the account. */
export function mountServiceAccount(attributes: WriteAttributes, view: AdmissionView): ApiObject {
  const { object, operation } = attributes;
  if (operation !== 'CREATE' || object.metadata.annotations?.[mirrorPodAnnotation] !== undefined) return object;
  const spec = memberOf(asJson(object), 'spec');
  const name = jsonTextAt(spec, 'serviceAccountName') || 'default';
  const account = findAccount(attributes, view, name);
  return asApiObject(
    changeMember(asJson(object), 'spec', (pod) => {
      const named = { ...pod, serviceAccountName: name, serviceAccount: name };
      const names = view.names.fork(`token volume of ${object.metadata.uid}`);
      const mounted = mountsToken(pod, account) ? withToken(named, names) : named;
      return withPullSecrets(mounted, account);
    }),
  );
}

function findAccount(
  { resource, object, namespace }: WriteAttributes,
  { store }: AdmissionView,
  name: string,
): JsonObject {
  const account = store.collection('serviceaccounts').get({ namespace, name });
  if (account !== undefined) return asJson(account);
  const because = `error looking up service account ${namespace}/${name}: serviceaccount ${JSON.stringify(name)} not found`;
  throw forbiddenError(resource, object.metadata.name, because);
}

const mountsToken = (pod: JsonObject, account: JsonObject): boolean =>
  (pod['automountServiceAccountToken'] ?? account['automountServiceAccountToken'] ?? true) !== false;

const tokenPath = '/var/run/secrets/kubernetes.io/serviceaccount';
const tokenVolumePrefix = 'kube-api-access-';
const suffixLength = 5;
/** An hour and the seven seconds by which Kubernetes tells these tokens from others. */
const tokenSeconds = 3607;

/** The sources are one shared object: stored objects are frozen, so thousands of pods share it. */
const tokenSources = {
  sources: [
    { serviceAccountToken: { expirationSeconds: tokenSeconds, path: 'token' } },
    { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
    {
      downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] },
    },
  ],
  defaultMode: 0o644,
};

function withToken(spec: JsonObject, names: Random): JsonObject {
  const containers = [...jsonObjectsIn(spec['initContainers']), ...jsonObjectsIn(spec['containers'])];
  if (containers.every(hasTokenMount)) return spec;
  const present = jsonObjectsIn(spec['volumes']).find((volume) =>
    jsonTextAt(volume, 'name').startsWith(tokenVolumePrefix),
  );
  const volume =
    present === undefined ? `${tokenVolumePrefix}${names.nameSuffix(suffixLength)}` : jsonTextAt(present, 'name');
  const mounted = ['initContainers', 'containers'].reduce((done, key) => withMounts(done, key, volume), spec);
  if (present !== undefined) return mounted;
  const volumes = [
    ...(Array.isArray(spec['volumes']) ? spec['volumes'] : []),
    { name: volume, projected: tokenSources },
  ];
  return { ...mounted, volumes };
}

const hasTokenMount = (container: JsonObject): boolean =>
  jsonObjectsIn(container['volumeMounts']).some(({ mountPath }) => mountPath === tokenPath);

function withMounts(spec: JsonObject, key: string, name: string): JsonObject {
  const list = memberOf(spec, key);
  if (!Array.isArray(list)) return spec;
  const mount = { name, readOnly: true, mountPath: tokenPath };
  const changed = list.map((container) => {
    if (!isObject(container) || hasTokenMount(container)) return container;
    const mounts = Array.isArray(container['volumeMounts']) ? container['volumeMounts'] : [];
    return { ...container, volumeMounts: [...mounts, mount] };
  });
  return { ...spec, [key]: changed };
}

function withPullSecrets(spec: JsonObject, account: JsonObject): JsonObject {
  const secrets = account['imagePullSecrets'];
  const isGiven = jsonObjectsIn(spec['imagePullSecrets']).length > 0;
  return isGiven || !Array.isArray(secrets) || secrets.length === 0 ? spec : { ...spec, imagePullSecrets: secrets };
}
