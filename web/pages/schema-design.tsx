import { SchemaDiagram } from '../components/artifacts/schema-diagram.tsx';
import { schemaDesign } from '../content/schema-design.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function SchemaDesignPage() {
  return <ServiceDetailPage slug="design" detail={schemaDesign} artifact={<SchemaDiagram />} />;
}
