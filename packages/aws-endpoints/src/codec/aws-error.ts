import type { WireStructure } from './shape.ts';

/**
 * A refusal in AWS's own words: the code that the real service would send, whatever the protocol.
 * Services throw it; the codec writes it.
 */
export class AwsError extends Error {
  override readonly name = 'AwsError';
  /** `InvalidInstanceID.NotFound`, `ResourceNotFoundException`. */
  readonly code: string;
  readonly status: number;
  /** Modelled members next to the message, in the JSON protocols. */
  readonly details: WireStructure;

  constructor(code: string, message: string, options: { status?: number; details?: WireStructure } = {}) {
    super(message);
    this.code = code;
    this.status = options.status ?? 400;
    this.details = options.details ?? {};
  }

  /** Whose fault it was, in the words of the XML protocols. */
  get fault(): 'Sender' | 'Receiver' {
    return this.status < 500 ? 'Sender' : 'Receiver';
  }
}
