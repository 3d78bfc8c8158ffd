import { type MediaRange, parseAccept } from './accept.ts';
import { badRequestError, StatusError } from './status-error.ts';

/** The form in which a client wants its answer. */
export type AnswerForm = {
  readonly syntax: 'json' | 'yaml';
  /** How objects are written: as they are, as rows of a table, or as their metadata. */
  readonly as: 'object' | 'table' | 'metadata';
  readonly isPretty: boolean;
};

/** Rows carry the object's metadata, the whole object, or nothing. */
export type IncludeObject = 'Metadata' | 'Object' | 'None';

type WantedAnswer = { readonly isList: boolean; readonly isWatch: boolean; readonly query: URLSearchParams };
type NegotiatedHeaders = Readonly<Record<string, string>>;

/** Chooses the form of the answer. Throws a 406 in the words of a real server. */
export function negotiateForm(headers: NegotiatedHeaders, want: WantedAnswer): AnswerForm {
  const ranges = parseAccept(headers['accept']);
  for (const range of ranges) {
    const form = formOf(range, headers, want);
    if (form !== undefined) return form;
  }
  if (ranges.every(({ type }) => syntaxOf(type) === undefined)) throw noReadableType(want);
  throw notAcceptable(want.isWatch ? watchTypes : objectTypes);
}

const objectTypes = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';
const watchTypes = 'application/json;stream=watch, application/vnd.kubernetes.protobuf;stream=watch';

export const notAcceptable = (types: string): StatusError =>
  new StatusError(406, `only the following media types are accepted: ${types}`, { reason: 'NotAcceptable' });

/** The error when no accepted type is known. It comes before all other checks. */
const noReadableType = ({ isList, isWatch }: WantedAnswer): StatusError => {
  const types = isList || isWatch ? `${objectTypes}, ${watchTypes}` : objectTypes;
  const message = `406: Not Acceptable\n\nAvailable representations: ${types}`;
  return new StatusError(406, message, { reason: 'NotAcceptable', details: {} });
};

function formOf(
  range: MediaRange,
  headers: NegotiatedHeaders,
  { isList, isWatch, query }: WantedAnswer,
): AnswerForm | undefined {
  const syntax = syntaxOf(range.type);
  if (syntax === undefined || (isWatch && syntax === 'yaml')) return undefined;
  const as = transformOf(range.parameters, isList && !isWatch);
  if (as === undefined) return undefined;
  return { syntax, as, isPretty: isPretty(headers, query) };
}

/** A request for protobuf gets JSON, which every client reads. This server does not write protobuf. */
function syntaxOf(type: string): AnswerForm['syntax'] | undefined {
  switch (type) {
    case '*/*':
    case 'application/*':
    case 'application/json':
      return 'json';
    case 'application/yaml':
      return 'yaml';
    case 'application/vnd.kubernetes.protobuf':
      return 'json';
    default:
      return undefined;
  }
}

function transformOf({ as, g, v }: MediaRange['parameters'], isList: boolean): AnswerForm['as'] | undefined {
  if (as === undefined) return 'object';
  if (g !== 'meta.k8s.io' || (v !== 'v1' && v !== 'v1beta1')) return undefined;
  if (as === 'Table') return 'table';
  return as === (isList ? 'PartialObjectMetadataList' : 'PartialObjectMetadata') ? 'metadata' : undefined;
}

/** Pretty output is requested, or the client is one that people read: curl, Wget, browsers. */
function isPretty(headers: NegotiatedHeaders, query: URLSearchParams): boolean {
  const asked = query.get('pretty');
  if (asked !== null) return asked !== 'false' && asked !== '0';
  return /^(curl|Wget|Mozilla\/5\.0)/.test(headers['user-agent'] ?? '');
}

export function includeObjectOf(query: URLSearchParams): IncludeObject {
  const asked = query.get('includeObject') ?? '';
  if (asked === '') return 'Metadata';
  if (asked === 'Metadata' || asked === 'Object' || asked === 'None') return asked;
  throw badRequestError(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(asked)}: must be 'Metadata', 'Object', 'None', or empty`,
  );
}
