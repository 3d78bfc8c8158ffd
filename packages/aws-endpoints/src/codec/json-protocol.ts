import { AwsError } from './aws-error.ts';
import { structureFromText } from './json-input.ts';
import { toJson } from './json-output.ts';
import { answer, headOf, textOf, type Protocol } from './protocol.ts';
import { inputShape, operationName, outputShape, type Structure } from './shape.ts';

/** The protocols that name the operation in `X-Amz-Target` and post JSON: `awsJson1_0` and `awsJson1_1`. */
export const jsonProtocol = ({ version }: { version: '1.0' | '1.1' }): Protocol => {
  const contentType = `application/x-amz-json-${version}`;
  const json = (status: number, body: Structure, requestId: string) =>
    answer(status, { body: JSON.stringify(body), contentType, requestId });
  return {
    decode(request, operations) {
      const target = request.headers['x-amz-target'] ?? '';
      const operation = operations.find((each) => operationName(each) === target.split('.')[1]);
      if (operation === undefined) {
        throw new AwsError('UnknownOperationException', `The sandbox does not serve the operation ${target}.`);
      }
      return { operation, input: structureFromText(inputShape(operation), textOf(request.body), 'awsJson') };
    },
    encode: (operation, output, requestId) =>
      json(200, (toJson(outputShape(operation), output, 'awsJson') ?? {}) as Structure, requestId),
    head: (_operation, requestId) => headOf(200, { contentType, requestId }),
    refuse: (error, requestId) =>
      json(error.status, { __type: error.code, message: error.message, ...error.details }, requestId),
  };
};
