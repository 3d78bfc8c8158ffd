import { readOwn, writeOwn, byValueOf } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import { AwsError } from './aws-error.ts';
import { structureFromText } from './json-input.ts';
import { toJson } from './json-output.ts';
import { answerWith, splitPath, decodeBodyText, type Protocol } from './protocol.ts';
import { matchRoute, moreLiteralFirst, type PathLabels } from './rest-routes.ts';
import { scalarFromText } from './scalar.ts';
import { hasTrait, httpRoute, inputShape, listMembers, outputShape, textTrait } from './shape.ts';
import type { HttpRoute, OperationSchema, Shape, WireStructure } from './shape.ts';

/** `restJson1`: the operation is in method and path, members in path, query string and JSON body. */
export const restProtocol = (): Protocol => ({
  hasFormInput: false,
  decode(request, operations) {
    const { operation, labels } = operationAt(request, operations);
    return { operation, input: restInput(inputShape(operation), request, labels) };
  },
  encode(operation, output, requestId) {
    const body = JSON.stringify(toJson(outputShape(operation), output, 'restJson') ?? {});
    return answerWith(statusOf(operation), { body, contentType, requestId });
  },
  refuse(error, requestId) {
    const body = JSON.stringify({ message: error.message, ...error.details });
    const headers = { 'x-amzn-errortype': error.code };
    return answerWith(error.status, { body, contentType, requestId, headers });
  },
});

const contentType = 'application/json';

const statusOf = (operation: OperationSchema): number => httpRoute(operation)?.status ?? 200;

function operationAt(request: HttpRequest, operations: readonly OperationSchema[]) {
  const { pathname } = splitPath(request.path);
  for (const { operation, route } of routesOf(operations)) {
    const labels = matchRoute(route, request.method, pathname);
    if (labels !== undefined) return { operation, labels };
  }
  const message = `The sandbox serves no operation at ${request.method} ${pathname}.`;
  throw new AwsError('UnknownOperationException', message, { status: 404 });
}

const routesOf = (
  operations: readonly OperationSchema[],
): readonly { operation: OperationSchema; route: HttpRoute }[] =>
  operations
    .flatMap((operation) => {
      const route = httpRoute(operation);
      return route === undefined ? [] : [{ operation, route }];
    })
    .toSorted(byValueOf(({ route }) => route, moreLiteralFirst));

function restInput(shape: Shape, request: HttpRequest, labels: PathLabels): WireStructure {
  const query = new URLSearchParams(splitPath(request.path).query);
  const input: Record<string, unknown> = { ...structureFromText(shape, decodeBodyText(request.body), 'restJson') };
  for (const [name, member] of listMembers(shape)) {
    const bound = boundMember(name, member, { query, labels });
    if (bound !== undefined) writeOwn(input, name, bound);
  }
  return input;
}

/** The value of a member that travels outside the body; `undefined` for one that does not, or was not sent. */
function boundMember(name: string, member: Shape, sent: { query: URLSearchParams; labels: PathLabels }): unknown {
  if (hasTrait(member, 'httpLabel')) return scalarFromText(member, readOwn(sent.labels, name) ?? '');
  const key = textTrait(member, 'httpQuery');
  if (key === undefined || !sent.query.has(key)) return undefined;
  if (member.isListSchema()) return sent.query.getAll(key).map((text) => scalarFromText(member.getValueSchema(), text));
  return scalarFromText(member, sent.query.get(key) ?? '');
}
