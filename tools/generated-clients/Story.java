/** The story of the README, with a client that OpenAPI Generator makes for Java. */
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.HistoryApi;
import org.openapitools.client.api.PriceBooksApi;
import org.openapitools.client.api.PricesApi;
import org.openapitools.client.model.*;

public class Story {
  interface Call {
    Object run() throws ApiException;
  }

  static void check(boolean ok, String what) {
    if (!ok) throw new AssertionError(what);
  }

  static String problemOf(Call call) {
    try {
      call.run();
    } catch (ApiException error) {
      return error.getCode() + " " + error.getResponseBody().replaceAll(".*\"type\":\"([^\"]*)\".*", "$1");
    }
    throw new AssertionError("there is an answer");
  }

  static ProductItem override(String productId, double amount) {
    var adjustment = new OverrideAdjustment().type(OverrideAdjustment.TypeEnum.OVERRIDE).amount(amount);
    var value = new RequestedAdjustments(new RequestedAdjustment(adjustment));
    return new ProductItem().productId(productId).adjustments(Map.of("USD", value));
  }

  public static void main(String[] args) throws ApiException {
    var client = new ApiClient().setBasePath(System.getenv("PRICEBOOK_URL"));
    client.setApiKey(System.getenv("PRICEBOOK_KEY"));
    var books = new PriceBooksApi(client);
    var prices = new PricesApi(client);
    var history = new HistoryApi(client);

    var book = books.createPriceBook(new CreatePriceBook().name("Retail").key("retail")).execute().getId().toString();
    var items = new SetProductPrices(List.of(override("lamp", 49.99), override("crane", 1234567.89)));
    var set = prices.setProductPrices(book, items).changeReason("Autumn list").execute();
    check(set.getProductsSet() == 2, "two products");
    check(priceOf(prices, book, "crane").execute().getPrice() == 1234567.89, "money arrives exactly");

    var percent = new PercentAdjustment().type(PercentAdjustment.TypeEnum.PERCENT).amount(10.0);
    var forAll = new AllProductsAdjustmentsOrNull(new AllProductsAdjustment(percent));
    var all = new AllProducts().productId(AllProducts.ProductIdEnum.ALL).adjustments(Map.of("USD", forAll));
    var tried = prices.setProductPrices(book, new SetProductPrices(all)).dryRun(true).execute().getPreview();
    var change = tried.getChanges().get(1);
    check(change.getBefore() == 49.99 && change.getAfter() == 54.99, "a dry run shows the changes");
    prices.setProductPrices(book, new SetProductPrices(all)).execute();
    var lamp = priceOf(prices, "key=retail", "lamp").explain(true).execute();
    check(lamp.getPrice() == 54.99, "the percent, by the key of the book");
    var entered = lamp.getExplanation().getSteps().get(0).getEntered().getAdjustment();
    check(entered.getOverrideAdjustment().getAmount() == 49.99, "the explanation");

    var yesterday = OffsetDateTime.now().minusDays(1);
    var then = problemOf(() -> priceOf(prices, book, "lamp").at(yesterday).execute());
    check(then.equals("404 /problems/no-price"), "no price yesterday: " + then);

    var lines = List.of(
        new QuoteLine().productId("crane").currency("USD"), new QuoteLine().productId("seat").currency("USD"));
    var quoted = prices.quote(book, lines).execute();
    check(quoted.get(0).getQuotedPrice().getPrice() == 1358024.68, "a quoted price");
    check(quoted.get(1).getUnpricedLine().getProblem().getType().equals("/problems/no-price"), "no price of a line");

    var entries = history.getPriceBookHistory(book).execute();
    check(entries.size() == 3 && entries.get(2).getActualInstance() instanceof AllProductsAdjustedEntry, "the history");
    check(entries.get(1).getProductPricesSetEntry().getReason().equals("Autumn list"), "the reason");
    var periods = history.getPriceHistory(book, "crane", "USD").execute();
    var last = periods.get(periods.size() - 1);
    check(last.getTo() == null && last.getPrice() == 1358024.68, "the period goes on");

    var preview = prices.deletePriceBookEntries(book, List.of("lamp")).dryRun(true).execute();
    check(preview.getPreview().getChanges().get(0).getAfter() == null, "a dry run of a DELETE has an answer");
    check(prices.deletePriceBookEntries(book, List.of("lamp")).execute() == null, "a DELETE has none");
    var deleted = problemOf(() -> priceOf(prices, book, "lamp").execute());
    check(deleted.equals("404 /problems/no-price"), "no price of what is deleted: " + deleted);
    books.deletePriceBook(book).execute();
    var gone = problemOf(() -> books.getPriceBook(book).execute());
    check(gone.equals("404 /problems/price-book-not-found"), "no deleted book: " + gone);
  }

  static PricesApi.APIgetProductPriceRequest priceOf(PricesApi prices, String book, String productId) {
    return prices.getProductPrice(book, productId, "USD");
  }
}
