/** A name such as `rollingOut` in words: `rolling out`. */
export const spellWords = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
