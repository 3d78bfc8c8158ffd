import { HttpResponse } from '@smithy/core/transport';

/** Outputs of responses that a server in this process made, as a client reads them from the wire. */
const outputs = new WeakMap<object, object>();

type Head = { readonly statusCode: number; readonly headers: Record<string, string> };

/** A response without bytes, whose output is known. */
export function responseWithOutput(head: Head, output: object): HttpResponse {
  const response = new HttpResponse(head);
  outputs.set(response, output);
  return response;
}

type Protocol = {
  deserializeResponse(operation: unknown, context: unknown, response: object): Promise<object>;
};

/** Lets an SDK client take known outputs as they are; it reads all other responses itself. */
export function takeKnownOutputs(client: object): void {
  const { protocol } = (client as { readonly config: { readonly protocol: Protocol } }).config;
  const readBytes = protocol.deserializeResponse.bind(protocol);
  protocol.deserializeResponse = async (operation, context, response) => {
    const output = outputs.get(response);
    return output === undefined ? readBytes(operation, context, response) : { ...output, ...metadataOf(response) };
  };
}

const metadataOf = (response: object) => {
  const { statusCode, headers } = response as HttpResponse;
  return { $metadata: { httpStatusCode: statusCode, requestId: headers['x-amzn-requestid'] } };
};
