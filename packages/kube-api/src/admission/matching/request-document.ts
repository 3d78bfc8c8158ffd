import type { Resource } from '../../resources/resource.ts';
import type { JsonObject } from '../../schema/json.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** A write as webhooks and expressions see it, without the objects. */
export function requestDocument(attributes: AdmissionAttributes, matched: Resource): JsonObject {
  const { resource, subresource, name, namespace, operation, user, dryRun, object } = attributes;
  const ofSubresource = subresource === '' ? {} : { subResource: subresource, requestSubResource: subresource };
  return {
    kind: kindOf(matched, subresource === '' ? undefined : object),
    resource: resourceOf(matched),
    requestKind: kindOf(resource, subresource === '' ? undefined : object),
    requestResource: resourceOf(resource),
    ...ofSubresource,
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation,
    userInfo: {
      username: user.name,
      ...(user.uid !== undefined && { uid: user.uid }),
      groups: [...user.groups],
      ...(user.extra && {
        extra: Object.fromEntries(Object.entries(user.extra).map(([key, list]) => [key, [...list]])),
      }),
    },
    dryRun,
    options: operation === 'CONNECT' ? null : { kind: optionKinds[operation], apiVersion: 'meta.k8s.io/v1' },
  };
}

const optionKinds = { CREATE: 'CreateOptions', UPDATE: 'UpdateOptions', DELETE: 'DeleteOptions' } as const;

const resourceOf = ({ group, version, plural }: Resource): JsonObject => ({ group, version, resource: plural });

/** The document of a subresource has a kind of its own. */
function kindOf(resource: Resource, document: { kind: string; apiVersion: string } | undefined): JsonObject {
  const { group, version } = resource;
  if (document === undefined || document.kind === resource.kind) return { group, version, kind: resource.kind };
  const [first = '', second] = document.apiVersion.split('/');
  return second === undefined
    ? { group: '', version: first, kind: document.kind }
    : { group: first, version: second, kind: document.kind };
}
