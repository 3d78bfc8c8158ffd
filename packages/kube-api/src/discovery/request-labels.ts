import { parseSwitch } from '../http/go-values.ts';
import { mediaTypeOf } from '../http/request-body.ts';
import type { RequestInfo, ResourcePath } from '../http/request-info.ts';
import { type Verb, verbOf } from '../http/verb.ts';
import { printLabels } from './metrics.ts';

type Answered = {
  readonly info: RequestInfo;
  readonly contentType: string | undefined;
  readonly status: number;
};

/** The labels by which an answered request is counted. */
export function printRequestLabels({ info, contentType, status }: Answered): string {
  const { query, resource } = info;
  const isDry = query.getAll('dryRun').includes('All');
  const place = resource === undefined ? placeOfPath(info) : placeOfResource(info, resource, contentType);
  const { component, group, resource: plural, scope, subresource, verb, version } = place;
  return printLabels({
    code: String(status),
    component,
    dry_run: isDry ? 'All' : '',
    group,
    resource: plural,
    scope,
    subresource,
    verb,
    version,
  });
}

type RequestPlace = Readonly<
  Record<'component' | 'group' | 'resource' | 'scope' | 'subresource' | 'verb' | 'version', string>
>;

/** Of a path that names no resource, the first word: clients could make up any number of longer ones. */
function placeOfPath({ method, path }: RequestInfo): RequestPlace {
  const subresource = `/${path.split('/')[1] ?? ''}`;
  return { component: '', group: '', resource: '', scope: '', subresource, verb: method, version: '' };
}

const verbNames: Readonly<Record<Verb, string>> = {
  create: 'POST',
  delete: 'DELETE',
  deletecollection: 'DELETECOLLECTION',
  get: 'GET',
  list: 'LIST',
  patch: 'PATCH',
  update: 'PUT',
  watch: 'WATCH',
};

function placeOfResource(info: RequestInfo, path: ResourcePath, contentType: string | undefined): RequestPlace {
  const verb = verbOf(info, path);
  const isApply = verb === 'patch' && mediaTypeOf(contentType) === 'application/apply-patch+yaml';
  const isWatch = verb === 'get' && parseSwitch(info.query.get('watch'));
  return {
    component: 'apiserver',
    group: path.group,
    resource: path.plural,
    scope: path.name !== '' ? 'resource' : path.namespace === '' ? 'cluster' : 'namespace',
    subresource: path.subresource,
    verb: isApply ? 'APPLY' : isWatch ? 'WATCH' : verb === undefined ? info.method : verbNames[verb],
    version: path.version,
  };
}
