import { AwsError } from './aws-error.ts';
import { structureFromJson, toJson } from './json.ts';
import { answer, textOf, type Protocol } from './protocol.ts';
import { inputShape, operationName, outputShape, type Structure } from './shape.ts';

/** The protocols that name the operation in `X-Amz-Target` and post JSON: `awsJson1_0` and `awsJson1_1`. */
export const jsonProtocol = ({ version }: { version: '1.0' | '1.1' }): Protocol => {
  const json = (status: number, body: Structure, requestId: string) =>
    answer(status, { body: JSON.stringify(body), contentType: `application/x-amz-json-${version}`, requestId });
  return {
    decode(request, operations) {
      const target = request.headers['x-amz-target'] ?? '';
      const operation = operations.find((each) => operationName(each) === target.split('.')[1]);
      if (operation === undefined) {
        throw new AwsError('UnknownOperationException', `The operation ${target} is not served here.`);
      }
      return { operation, input: structureFromJson(inputShape(operation), parseJson(textOf(request.body)), 'awsJson') };
    },
    encode: (operation, output, requestId) =>
      json(200, (toJson(outputShape(operation), output, 'awsJson') ?? {}) as Structure, requestId),
    refuse: (error, requestId) =>
      json(error.status, { __type: error.code, message: error.message, ...error.details }, requestId),
  };
};

/** @throws AwsError `SerializationException` when the text is no JSON object */
export function parseJson(text: string): Structure {
  if (text === '') return {};
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as Structure;
  } catch {
    // Told below, as for any other text that is no object.
  }
  throw new AwsError('SerializationException', 'The body of the request is not a JSON object.');
}
