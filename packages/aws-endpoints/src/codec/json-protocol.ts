import { AwsError } from './aws-error.ts';
import { structureFromText } from './json-input.ts';
import { toJson } from './json-output.ts';
import { answerWith, decodeBodyText, type Protocol } from './protocol.ts';
import { inputShape, operationName, outputShape, type WireStructure } from './shape.ts';

/** The protocols that name the operation in `X-Amz-Target` and post JSON: `awsJson1_0` and `awsJson1_1`. */
export const jsonProtocol = ({ version }: { version: '1.0' | '1.1' }): Protocol => {
  const contentType = `application/x-amz-json-${version}`;
  const json = (status: number, body: WireStructure, requestId: string) =>
    answerWith(status, { body: JSON.stringify(body), contentType, requestId });
  return {
    hasFormInput: false,
    decode(request, operations) {
      const target = request.headers['x-amz-target'] ?? '';
      const operation = operations.find((each) => operationName(each) === target.split('.')[1]);
      if (operation === undefined) {
        throw new AwsError('UnknownOperationException', `The sandbox does not serve the operation ${target}.`);
      }
      return { operation, input: structureFromText(inputShape(operation), decodeBodyText(request.body), 'awsJson') };
    },
    encode: (operation, output, requestId) =>
      json(200, (toJson(outputShape(operation), output, 'awsJson') ?? {}) as WireStructure, requestId),
    refuse: (error, requestId) =>
      json(error.status, { __type: error.code, message: error.message, ...error.details }, requestId),
  };
};
