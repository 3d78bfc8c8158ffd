import { readOwn } from '@nodewright/apis';
import type { StatusCause } from '../../http/status-error.ts';
import { asJson } from '../../resources/rules.ts';
import { type JsonValue, memberOf, valueAtPath } from '../../schema/json.ts';
import type { ApiObject } from '../../storage/api-object.ts';
import type { ServerContext } from '../world.ts';

const adminAccessLabel = 'resource.kubernetes.io/admin-access';

/** Where the devices of a claim or of a template for claims are. */
const devicePlaces: Readonly<Record<string, readonly string[]>> = {
  ResourceClaim: ['spec', 'devices'],
  ResourceClaimTemplate: ['spec', 'spec', 'devices'],
};

/** Devices that others use, too, are for administrators: their namespace has to have a adminAccessLabel. */
export function adminAccessCauses({ store }: ServerContext, object: ApiObject): readonly StatusCause[] {
  const place = readOwn(devicePlaces, object.kind);
  if (place === undefined || !object.apiVersion.startsWith('resource.k8s.io/')) return [];
  const namespace = store.collection('namespaces').get({ namespace: '', name: object.metadata.namespace ?? '' });
  if (namespace?.metadata.labels?.[adminAccessLabel] === 'true') return [];
  const requests = memberOf(valueAtPath(asJson(object), ...place), 'requests');
  return (Array.isArray(requests) ? requests : []).flatMap((request: JsonValue, index) =>
    valueAtPath(request, 'exactly', 'adminAccess') === true
      ? [
          {
            reason: 'FieldValueForbidden',
            message: `Forbidden: admin access to devices requires the \`${adminAccessLabel}: true\` adminAccessLabel on the containing namespace`,
            field: `${place.join('.')}.requests[${index}].adminAccess`,
          },
        ]
      : [],
  );
}
