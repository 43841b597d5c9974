import MagicString from 'magic-string';
import { parseSync, Visitor } from 'vite';

const isFunction = ({ type }) => type === 'ArrowFunctionExpression' || type === 'FunctionExpression';

/**
 * Turns `a.b = () => …` into `a.b = (0, () => …)`. V8 allocates a function literal that is assigned to a property in the old
 * generation, and as long as it is there, what it captures outlives every minor collection. A comma expression is not a literal
 * (docs/decisions/0022-young-closures.md).
 * @returns {MagicString} the code and, on request, its source map
 * @throws Error if the code cannot be parsed
 */
export function keepClosuresYoung(code) {
  const { program, errors } = parseSync('chunk.js', code);
  if (errors.length > 0) throw new Error(errors[0].message);
  const changed = new MagicString(code);
  new Visitor({
    AssignmentExpression({ operator, left, right }) {
      if (operator !== '=' || left.type !== 'MemberExpression' || !isFunction(right)) return;
      changed.appendLeft(right.start, '(0, ').prependRight(right.end, ')');
    },
  }).visit(program);
  return changed;
}
