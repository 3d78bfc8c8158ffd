import type { ApiObject } from '../../storage/api-object.ts';
import { changeEachItem, changeMember } from '../../builtin/fill.ts';
import { jsonObjectsIn } from '../../builtin/validation/checks.ts';
import { asApiObject, asJson } from '../../resources/rules.ts';
import { type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import type { AdmissionView, WriteAttributes } from '../attributes.ts';
import type { PodCredentials } from '../pod-credentials.ts';

/** Gives a new pod the credentials of its service account. What the pod has under these names stays. */
export function addPodCredentials({ object, operation, namespace }: WriteAttributes, view: AdmissionView): ApiObject {
  if (operation !== 'CREATE' || view.findPodCredentials === undefined) return object;
  const name = jsonTextAt(memberOf(asJson(object), 'spec'), 'serviceAccountName');
  const account = view.store.collection('serviceaccounts').get({ namespace, name });
  const credentials = account && view.findPodCredentials(account);
  if (credentials === undefined) return object;
  return asApiObject(changeMember(asJson(object), 'spec', (spec) => withCredentials(spec, credentials)));
}

function withCredentials(spec: JsonObject, credentials: PodCredentials): JsonObject {
  const { volume: name, token } = credentials;
  const source = { projected: { sources: [{ serviceAccountToken: token }], defaultMode: 0o644 } };
  const withVolume: JsonObject = { ...spec, volumes: addNamed(spec['volumes'], [{ name, ...source }]) };
  return ['initContainers', 'containers'].reduce<JsonObject>(
    (done, key) => changeEachItem(done, key, (container) => equipContainer(container, credentials)),
    withVolume,
  );
}

const equipContainer = (container: JsonObject, { volume, mountPath, environment }: PodCredentials): JsonObject => ({
  ...container,
  env: addNamed(container['env'], environment),
  volumeMounts: addNamed(container['volumeMounts'], [{ name: volume, readOnly: true, mountPath }]),
});

/** Adds the items whose names the list does not have. */
function addNamed(list: JsonValue | undefined, items: readonly JsonObject[]): JsonValue[] {
  const present = jsonObjectsIn(list);
  const names = new Set(present.map(({ name }) => name));
  return [...present, ...items.filter(({ name }) => !names.has(name))];
}
