import { schemaDesign } from '../../core/content/schema-design.ts';
import { ServiceDetailPage } from '../features/services/service-detail-page.tsx';

export function SchemaDesignPage() {
  return <ServiceDetailPage slug="design" detail={schemaDesign} />;
}
