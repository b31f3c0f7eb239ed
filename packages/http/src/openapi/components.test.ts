import { exactly, record, taggedBy, text } from '@pricebook/domain';
import { expect } from 'chai';
import { createComponents } from './components';

const name = text('Name', { min: 1, max: 10 });

describe('The components of a document', () => {
  it('have each schema with a name once; where it is used there is a reference', () => {
    const components = createComponents();
    const book = record('Book', { title: name }, { author: name });
    expect(components.schema(book.schema)).to.deep.equal({ $ref: '#/components/schemas/Book' });
    expect(components.all()['schemas']).to.deep.equal({
      Book: {
        title: 'Book',
        type: 'object',
        properties: {
          title: { $ref: '#/components/schemas/Name' },
          author: { $ref: '#/components/schemas/Name' },
        },
        required: ['title'],
        additionalProperties: false,
      },
      Name: { title: 'Name', type: 'string', minLength: 1, maxLength: 10 },
    });
  });

  it('say by which value a field tells shapes apart', () => {
    const components = createComponents();
    const shape = taggedBy<unknown>('Shape', 'type', {
      a: record('A', { type: exactly('a') }),
      b: record('B', { type: exactly('b') }),
    });
    components.schema(shape.schema);
    expect(components.all()['schemas']?.['Shape']).to.deep.include({
      discriminator: {
        propertyName: 'type',
        mapping: { a: '#/components/schemas/A', b: '#/components/schemas/B' },
      },
    });
  });

  it('refuse two schemas of one name, and shapes that have none', () => {
    const components = createComponents();
    components.schema(name.schema);
    expect(() => components.schema(text('Name', { min: 1, max: 11 }).schema)).to.throw('Name');
    const nameless = taggedBy<unknown>('Shape', 'type', { a: record('a shape', { type: exactly('a') }) });
    expect(() => components.schema(nameless.schema)).to.throw('type');
  });
});
