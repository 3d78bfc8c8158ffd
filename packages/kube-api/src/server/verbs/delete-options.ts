import { decodeProblem } from '../../builtin/decode-problem.ts';
import { builtinSchema } from '../../schema/definitions.ts';
import { isObject, type JsonValue, type JsonObject } from '../../schema/json.ts';
import { parseInt64 } from '../../http/go-values.ts';
import { decodeObject } from '../../http/request-body.ts';
import { dryRunCauses } from '../request-options.ts';
import { badRequestError, invalidError, type StatusCause } from '../../http/status-error.ts';
import type { ResourceCall } from '../world.ts';

export type Propagation = 'Background' | 'Foreground' | 'Orphan';

export type DeletionOptions = {
  readonly dryRun: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagation?: Propagation;
  readonly uid?: string;
  readonly resourceVersion?: string;
};

/** Parses the options of a delete from its body or, without a body, from the query. */
export function readDeletionOptions(call: ResourceCall): DeletionOptions {
  return parseDeletionOptions(call.body.byteLength === 0 ? queryOptions(call.info.query) : bodyOptions(call));
}

function bodyOptions({ body, headers }: ResourceCall): JsonObject {
  const options = decodeObject(body, headers['content-type'], 'DeleteOptions');
  const { kind = 'DeleteOptions', apiVersion = 'v1' } = options;
  // Clients write the version of the object's own group, of whatever group it is.
  if (kind === 'DeleteOptions') return readableOptions(options);
  throw badRequestError(
    `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(apiVersion)} in scheme "pkg/apis/meta/internalversion/scheme/register.go:27"`,
  );
}

function readableOptions(options: JsonObject): JsonObject {
  const schema = builtinSchema('', 'v1', 'DeleteOptions');
  const problem = schema === undefined ? undefined : decodeProblem(schema, options);
  if (problem !== undefined) throw badRequestError(problem);
  return options;
}

function queryOptions(query: URLSearchParams): JsonObject {
  const grace = parseInt64(query.get('gracePeriodSeconds'));
  const orphan = query.get('orphanDependents');
  return {
    ...(grace !== undefined && { gracePeriodSeconds: grace }),
    ...(query.has('propagationPolicy') && { propagationPolicy: query.get('propagationPolicy') }),
    ...(orphan !== null && { orphanDependents: orphan === 'true' || orphan === '1' }),
    ...(query.has('dryRun') && { dryRun: query.getAll('dryRun') }),
  };
}

/** Parses the options of a delete or of an eviction. Throws a 422 for invalid ones. */
export function parseDeletionOptions(options: JsonObject): DeletionOptions {
  refuseInvalidOptions(options);
  const { gracePeriodSeconds, propagationPolicy, orphanDependents, dryRun } = options;
  const preconditions = isObject(options['preconditions']) ? options['preconditions'] : {};
  const propagation = propagationPolicy ?? orphanPolicy(orphanDependents);
  return {
    dryRun: Array.isArray(dryRun) && dryRun.includes('All'),
    ...(typeof gracePeriodSeconds === 'number' && { gracePeriodSeconds }),
    ...(typeof propagation === 'string' && { propagation: propagation as Propagation }),
    ...(typeof preconditions['uid'] === 'string' && { uid: preconditions['uid'] }),
    ...(typeof preconditions['resourceVersion'] === 'string' && { resourceVersion: preconditions['resourceVersion'] }),
  };
}

const orphanPolicy = (orphan: JsonValue | undefined): Propagation | undefined =>
  typeof orphan === 'boolean' ? (orphan ? 'Orphan' : 'Background') : undefined;

const propagationPolicies = ['Foreground', 'Background', 'Orphan'];

function refuseInvalidOptions({ propagationPolicy, orphanDependents, dryRun }: JsonObject): void {
  const causes = [
    ...policyCauses(propagationPolicy, orphanDependents),
    ...dryRunCauses(Array.isArray(dryRun) ? dryRun.map(String) : []),
  ];
  if (causes.length > 0) throw invalidError({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', causes);
}

function policyCauses(policy: JsonValue | undefined, orphan: JsonValue | undefined): readonly StatusCause[] {
  if (typeof policy !== 'string') return [];
  const field = 'propagationPolicy';
  if (orphan !== undefined && orphan !== null) {
    const message = `Invalid value: ${JSON.stringify(policy)}: orphanDependents and deletionPropagation cannot be both set`;
    return [{ reason: 'FieldValueInvalid', message, field }];
  }
  if (propagationPolicies.includes(policy)) return [];
  const supported = [...propagationPolicies, 'nil'].map((name) => JSON.stringify(name)).join(', ');
  const message = `Unsupported value: ${JSON.stringify(policy)}: supported values: ${supported}`;
  return [{ reason: 'FieldValueNotSupported', message, field }];
}
